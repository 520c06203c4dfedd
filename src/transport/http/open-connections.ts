import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { answerRaw, statusOf } from './client-error.ts';
import type { ListenerLimits } from './listener-limits.ts';
import { hasBody, isLastAnswer, refuse } from './refuse.ts';
import { type Exchange, StalledBodies } from './stalled-bodies.ts';

/** Milliseconds between two looks at connections that become idle while we close. */
const CLOSING_LOOK = 20;

/** The connections of a server, from their first byte to their last, whatever is wrong with them. */
export class OpenConnections {
  readonly #server: Server;
  readonly #stalled: StalledBodies;
  readonly #sockets = new Set<Socket>();
  /** The last request of each connection. */
  readonly #last = new WeakMap<Duplex, Exchange>();
  #hasWarned = false;

  constructor(server: Server, limits: ListenerLimits, warn: (message: string) => void) {
    this.#server = server;
    this.#stalled = new StalledBodies(limits.bodyTimeout, (request, response) => {
      if (response.headersSent) request.socket.destroy();
      else refuse(response, 408, 'the body did not come');
    });
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => this.#failed(error, socket));
    server.on('connect', (_request, socket) => {
      socket.on('error', ignore);
      answerRaw(socket, 405, 'there are no tunnels here');
    });
    server.on('drop', () => {
      if (!this.#hasWarned) warn(`more than ${limits.maxConnections} connections: further ones are closed at once`);
      this.#hasWarned = true;
    });
  }

  get count(): number {
    return this.#sockets.size;
  }

  /** A request has come. False where it came after one whose answer ends the connection: then nothing is to happen. */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    // Whoever reads or writes them looks at how that ended; a client that leaves is no reason to crash.
    request.on('error', ignore);
    response.on('error', ignore);
    const last = this.#last.get(request.socket);
    if (last !== undefined && isLastAnswer(last.response)) {
      request.resume();
      return false;
    }
    const isBodyDue = hasBody(request);
    if (last === undefined) {
      const first = { request, response, isBodyDue, bytes: undefined, since: 0 };
      this.#last.set(request.socket, first);
      this.#stalled.watch(first);
    } else {
      last.request = request;
      last.response = response;
      last.isBodyDue = isBodyDue;
      last.bytes = undefined;
    }
    return true;
  }

  /** Ends those that are idle at once, the others when they are, or after `graceMs`. */
  async close(graceMs: number): Promise<void> {
    const server = this.#server;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    this.#stalled.stop();
    // Node takes a connection for idle only after its first request.
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy();
    const looking = setInterval(() => server.closeIdleConnections(), CLOSING_LOOK);
    const ending = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, graceMs);
    await closed;
    // Node counts a connection no more before it has told of its end.
    await Promise.all([...this.#sockets].map((socket) => once(socket, 'close')));
    clearInterval(looking);
    clearTimeout(ending);
  }

  #failed(error: NodeJS.ErrnoException, socket: Duplex): void {
    // What comes after the answer is thrown away.
    if (socket.writableEnded || socket.destroyed) return;
    const last = this.#last.get(socket);
    if (last !== undefined && isLastAnswer(last.response) && !last.response.destroyed && error.code?.startsWith('HPE_') === true)
      return;
    const status = statusOf(error);
    if (status === undefined || !socket.writable || this.#isAnswering(socket)) {
      socket.destroy();
      return;
    }
    answerRaw(socket, status, status === 408 ? 'the headers did not come' : 'this is not a request of HTTP');
  }

  /** Would what is written now be taken for the answer to an earlier request, or be in the middle of one? */
  #isAnswering(socket: Duplex): boolean {
    const last = this.#last.get(socket);
    if (last === undefined || last.response.writableFinished) return false;
    // A broken body is answered, where it is the turn of its request (those before it have their answers) and nothing was said yet.
    return last.request.complete || last.response.headersSent || last.response.socket === null;
  }
}

function ignore(): void {}

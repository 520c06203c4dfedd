import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ListenerLimits } from './listener-limits.ts';
import { hasBody, isLastAnswer, refusalBody, refuse } from './respond.ts';
import { type Exchange, StalledBodies } from './stalled-bodies.ts';

/** Milliseconds for which what still comes is thrown away, so that the sender gets to read our answer. */
const LINGER = 500;

/** Milliseconds between two looks at connections that become idle while we close. */
const CLOSING_LOOK = 20;

/** Of all connections: so many that have shown nothing yet do not have to make room for each other. */
const SHARE_OF_STRANGERS = 0.25;

/**
 * The connections of a server, from their first byte to their last, whatever is wrong with them. Where there are as many as there may be, one that has
 * shown nothing yet makes room for the next, else one that is idle, else one whose body does not come: whoever only holds connections open keeps nobody out.
 */
export class OpenConnections {
  readonly #server: Server;
  readonly #stalled: StalledBodies;
  readonly #most: number;
  readonly #warn: (message: string) => void;
  readonly #sockets = new Set<Socket>();
  /** Those that have sent no request for a URL of ours, in the order in which they came. */
  readonly #strangers = new Set<Socket>();
  /** The last request of each other one; the one that has sent none for the longest time is first. */
  readonly #known = new Map<Socket, Exchange>();
  /** Of connections with TLS: what lies below it, by the other side's address. */
  readonly #below = new Map<string, Socket>();
  /** The last request of each connection. */
  readonly #last = new WeakMap<Duplex, Exchange>();
  #hasWarned = false;

  constructor(server: Server, limits: ListenerLimits, warn: (message: string) => void) {
    this.#server = server;
    this.#most = limits.maxConnections;
    this.#warn = warn;
    this.#stalled = new StalledBodies(limits.bodyTimeout, (request, response) => {
      if (response.headersSent) request.socket.destroy();
      else refuse(response, 408, 'the body did not arrive in time');
    });
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      this.#strangers.add(socket);
      const peer = peerOf(socket);
      this.#below.set(peer, socket);
      socket.once('close', () => {
        this.#forget(socket);
        if (this.#below.get(peer) === socket) this.#below.delete(peer);
      });
      if (this.#sockets.size > this.#most) this.#makeRoomFor(socket);
    });
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => this.#failed(error, socket));
    server.on('connect', (_request, socket) => {
      socket.on('error', ignore);
      answerRaw(socket, 405, 'clawai opens no tunnels');
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
      const first = { request, response, isBodyDue, bytes: undefined, since: 0, waited: 0, from: 0 };
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

  /**
   * To be called with a request that was taken.
   *
   * @param isOurs tells whether it is for a URL of ours; asked as long as its connection has sent none that was
   */
  welcome({ socket }: IncomingMessage, isOurs: () => boolean): void {
    const own = this.#sockets.has(socket) ? socket : this.#below.get(peerOf(socket));
    const last = this.#last.get(socket);
    if (own === undefined || last === undefined || (!this.#known.has(own) && !isOurs())) return;
    this.#strangers.delete(own);
    this.#known.delete(own);
    this.#known.set(own, last);
  }

  #makeRoomFor(newcomer: Socket): void {
    if (!this.#hasWarned)
      this.#warn(`more than ${this.#most} connections: clawai closes idle ones, and those without a request, to make room`);
    this.#hasWarned = true;
    const [first, second] = this.#strangers;
    const stranger = first === newcomer ? second : first;
    // Few of them have come just now, and are about to show what they want.
    const areMany = this.#strangers.size > this.#most * SHARE_OF_STRANGERS;
    const leaving = (areMany ? stranger : undefined) ?? this.#findSpare() ?? stranger ?? newcomer;
    this.#forget(leaving);
    leaving.destroy();
  }

  /** One that is idle, else one that has asked for nothing yet since its body is not there. */
  #findSpare(): Socket | undefined {
    let asking: Socket | undefined;
    for (const [socket, { request, response }] of this.#known) {
      if (response.writableFinished || response.destroyed) return socket;
      if (!request.complete && !response.headersSent) asking ??= socket;
    }
    return asking;
  }

  #forget(socket: Socket): void {
    this.#sockets.delete(socket);
    this.#strangers.delete(socket);
    this.#known.delete(socket);
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
    answerRaw(socket, status, status === 408 ? 'the headers did not arrive in time' : 'this is not an HTTP request');
  }

  /** Would what is written now be taken for the answer to an earlier request, or be in the middle of one? */
  #isAnswering(socket: Duplex): boolean {
    const last = this.#last.get(socket);
    if (last === undefined || last.response.writableFinished) return false;
    // A broken body is answered, where it is the turn of its request (those before it have their answers) and nothing was said yet.
    return last.request.complete || last.response.headersSent || last.response.socket === null;
  }
}

/** Of a connection, with TLS or below it. */
function peerOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}

function ignore(): void {}

/** What Node found wrong, as an HTTP status; undefined where there is nobody to tell. */
function statusOf(error: NodeJS.ErrnoException): number | undefined {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return 431;
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return 413;
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 408;
    default:
      return error.code?.startsWith('HPE_') === true ? 400 : undefined;
  }
}

/** Writes an answer to something that is not a request, past Node's HTTP, and closes the connection. */
function answerRaw(socket: Duplex, status: number, message: string): void {
  const body = refusalBody(status, message);
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'content-type: application/json',
      'cache-control: no-store',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  const timer = setTimeout(() => socket.destroy(), LINGER);
  socket.once('close', () => clearTimeout(timer));
}

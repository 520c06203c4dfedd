import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ListenerLimits } from './listener-limits.ts';
import { hasBody, isLastAnswer, refusalBody, refuse } from './respond.ts';
import { type Exchange, StalledBodies } from './stalled-bodies.ts';

/** Milliseconds for which further bytes are discarded, so that the sender gets to read our answer. */
const LINGER = 500;

/** Milliseconds between two checks for idle connections while closing. */
const CLOSING_LOOK = 20;

/** The share of all connections that may be strangers before they must make room for each other. */
const SHARE_OF_STRANGERS = 0.25;

/**
 * Tracks the connections of a server from their first byte to their last. At the limit, one connection makes room for the next: a stranger,
 * else an idle one, else one whose body does not come. So a client that only holds connections open locks nobody out.
 */
export class OpenConnections {
  readonly #server: Server;
  readonly #stalled: StalledBodies;
  readonly #most: number;
  readonly #warn: (message: string) => void;
  readonly #sockets = new Set<Socket>();
  /** Connections that have not requested a URL of ours, oldest first. */
  readonly #strangers = new Set<Socket>();
  /** The last request of each other connection, least recent first. */
  readonly #known = new Map<Socket, Exchange>();
  /** The sockets below TLS connections, by the peer's address. */
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

  /** Tells whether an answer is due or on its way on a connection. */
  isAnswering(socket: Duplex): boolean {
    return this.#last.get(socket)?.response.writableFinished === false;
  }

  /** Notes a request. False if it follows one whose answer ends the connection: then it must be ignored. */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    // Whoever reads or writes them handles the outcome; a client that leaves must not crash us.
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
   * Call it with every request that was taken.
   *
   * @param isOurs tells whether it is for a URL of ours; asked until one on its connection was
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
    // If there are few strangers, they have just come and are about to send their requests.
    const areMany = this.#strangers.size > this.#most * SHARE_OF_STRANGERS;
    const leaving = (areMany ? stranger : undefined) ?? this.#findSpare() ?? stranger ?? newcomer;
    this.#forget(leaving);
    leaving.destroy();
  }

  /** Finds an idle connection, else one whose request is still incomplete. */
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

  /** Closes idle connections at once, the others when they become idle, or after `graceMs`. */
  async close(graceMs: number): Promise<void> {
    const server = this.#server;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    this.#stalled.stop();
    // Node counts a connection as idle only after its first request.
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy();
    const looking = setInterval(() => server.closeIdleConnections(), CLOSING_LOOK);
    const ending = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, graceMs);
    await closed;
    // Node stops counting a connection before its close event.
    await Promise.all([...this.#sockets].map((socket) => once(socket, 'close')));
    clearInterval(looking);
    clearTimeout(ending);
  }

  #failed(error: NodeJS.ErrnoException, socket: Duplex): void {
    // Bytes after the answer are discarded.
    if (socket.writableEnded || socket.destroyed) return;
    const last = this.#last.get(socket);
    if (last !== undefined && isLastAnswer(last.response) && !last.response.destroyed && error.code?.startsWith('HPE_') === true)
      return;
    const status = statusOf(error);
    if (status === undefined || !socket.writable || this.#isInAnswer(socket)) {
      socket.destroy();
      return;
    }
    answerRaw(socket, status, status === 408 ? 'the headers did not arrive in time' : 'this is not an HTTP request');
  }

  /** Tells whether writing now would look like the answer to an earlier request, or break into one. */
  #isInAnswer(socket: Duplex): boolean {
    const last = this.#last.get(socket);
    if (last === undefined || last.response.writableFinished) return false;
    // A broken body gets an answer if it is its request's turn (earlier ones were answered) and none has begun.
    return last.request.complete || last.response.headersSent || last.response.socket === null;
  }
}

/** Identifies a connection, the same with TLS and below it. */
function peerOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}

function ignore(): void {}

/** Maps Node's parse error to an HTTP status; undefined if nobody can be told. */
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

/** Writes an answer to an invalid request, bypassing Node's HTTP, and closes the connection. */
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

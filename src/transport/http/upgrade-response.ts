import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The response to a request that may become a WebSocket: either it is sent like any other and ends the connection, or the connection is
 * taken over.
 */
export class UpgradeResponse extends ServerResponse {
  /** Bytes that came after the head of the request. */
  readonly head: Buffer;
  /** Aborts when the listener closes. */
  readonly closing: AbortSignal;
  readonly #socket: Socket;
  readonly #drain = (): void => void this.emit('drain');
  readonly #end = (): void => void this.#socket.end();

  constructor(request: IncomingMessage, socket: Socket, { head, closing }: Pick<UpgradeResponse, 'head' | 'closing'>) {
    super(request);
    this.head = head;
    this.closing = closing;
    this.#socket = socket;
    this.shouldKeepAlive = false;
    // Node does these for requests that stay HTTP.
    socket.on('error', () => {}).on('drain', this.#drain);
    this.assignSocket(socket);
    this.once('finish', this.#end);
  }

  /** Returns the connection, which the response leaves alone from now on. It still tells when it closes. */
  takeSocket(): Socket {
    const socket = this.#socket;
    this.off('finish', this.#end);
    socket.off('drain', this.#drain);
    this.detachSocket(socket);
    socket.once('close', () => this.emit('close'));
    return socket;
  }
}

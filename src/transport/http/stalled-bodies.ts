import type { IncomingMessage, ServerResponse } from 'node:http';

/** The last request of a connection; whether its body is still to come is known of no earlier one. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** There may be bytes of its body on their way. */
  isBodyDue: boolean;
  /** Of its connection, when it was last looked at; undefined before. */
  bytes: number | undefined;
  /** When bytes came last, by `performance.now()`. */
  since: number;
  /** How long the sender could have sent, so far, and what its connection had brought before. */
  waited: number;
  from: number;
}

/** Whoever sends slower than so many bytes in a millisecond has no time left after a while. */
const SLOWEST = 1024 / 1000;

/** A whole body has so many times as long as there may be between two of its bytes, besides. */
const WHOLE = 4;

/**
 * Watches bodies that are on their way, and tells of those of which no byte comes any more, or too few to ever come to an end. One timer and one entry for a connection, since
 * one for each request would cost every request.
 */
export class StalledBodies {
  readonly #patience: number;
  readonly #stalled: (request: IncomingMessage, response: ServerResponse) => void;
  readonly #open = new Set<Exchange>();
  readonly #timer: NodeJS.Timeout;
  #lookedAt = performance.now();

  /**
   * @param patience milliseconds without a byte, and four times that for a whole body besides what its bytes take; it may be up to a third more
   * @param stalled called once for a body
   */
  constructor(patience: number, stalled: (request: IncomingMessage, response: ServerResponse) => void) {
    this.#patience = patience;
    this.#stalled = stalled;
    this.#timer = setInterval(() => this.#look(performance.now()), Math.ceil(patience / 3)).unref();
  }

  /** To be called with the first exchange of a connection, which becomes its later ones. */
  watch(exchange: Exchange): void {
    this.#open.add(exchange);
    exchange.request.socket.once('close', () => this.#open.delete(exchange));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(now: number): void {
    const passed = now - this.#lookedAt;
    this.#lookedAt = now;
    for (const exchange of this.#open) {
      if (!exchange.isBodyDue) continue;
      const { request, response } = exchange;
      // A request that is over may have no connection any more, whatever Node's types say.
      const socket = request.socket as typeof request.socket | null;
      if (request.complete || request.destroyed || socket === null) {
        exchange.isBodyDue = false;
        continue;
      }
      const { bytesRead } = socket;
      // While nobody here reads, the sender is not to blame.
      const isHeld = request.isPaused() || request.readableLength >= request.readableHighWaterMark;
      if (exchange.bytes === undefined) {
        exchange.waited = 0;
        exchange.from = bytesRead;
      } else if (!isHeld) exchange.waited += passed;
      if (bytesRead !== exchange.bytes || isHeld) {
        exchange.bytes = bytesRead;
        exchange.since = now;
      }
      const isTooSlow = exchange.waited - (bytesRead - exchange.from) / SLOWEST >= WHOLE * this.#patience;
      if (isTooSlow || now - exchange.since >= this.#patience) {
        exchange.isBodyDue = false;
        this.#stalled(request, response);
      }
    }
  }
}

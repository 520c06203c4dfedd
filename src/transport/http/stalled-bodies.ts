import type { IncomingMessage, ServerResponse } from 'node:http';

/** The last request of a connection; earlier ones are not tracked. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** True while bytes of its body may still come. */
  isBodyDue: boolean;
  /** The connection's bytes at the last check; undefined before the first. */
  bytes: number | undefined;
  /** The time of the last bytes, by `performance.now()`. */
  since: number;
  /** Milliseconds for which the sender could have sent so far, and the connection's bytes before the body. */
  waited: number;
  from: number;
}

/** Bytes per millisecond; a slower sender times out eventually. */
const SLOWEST = 1024 / 1000;

/** A whole body may take this many times the allowed gap between two bytes, plus the time that its bytes take. */
const WHOLE = 4;

/**
 * Watches bodies in flight, and reports those that stall or are too slow ever to end. It uses one timer and one entry per connection, since
 * one per request would cost every request.
 */
export class StalledBodies {
  readonly #patience: number;
  readonly #stalled: (request: IncomingMessage, response: ServerResponse) => void;
  readonly #open = new Set<Exchange>();
  readonly #timer: NodeJS.Timeout;
  #checkedAt = performance.now();

  /**
   * @param patience most milliseconds without a byte; a whole body gets four times that, plus the time that its bytes take; a timeout may
   * come up to a third later
   * @param stalled called once per body
   */
  constructor(patience: number, stalled: (request: IncomingMessage, response: ServerResponse) => void) {
    this.#patience = patience;
    this.#stalled = stalled;
    this.#timer = setInterval(() => this.#look(performance.now()), Math.ceil(patience / 3)).unref();
  }

  /** Call it with the first exchange of a connection; later requests reuse that object. */
  watch(exchange: Exchange): void {
    this.#open.add(exchange);
    exchange.request.socket.once('close', () => this.#open.delete(exchange));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(now: number): void {
    const passed = now - this.#checkedAt;
    this.#checkedAt = now;
    for (const exchange of this.#open) {
      if (!exchange.isBodyDue) continue;
      const { request, response } = exchange;
      // A finished request may have lost its connection, whatever Node's types say.
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

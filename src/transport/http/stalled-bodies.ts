import type { IncomingMessage, ServerResponse } from 'node:http';
import { hasBody } from './refuse.ts';

interface Progress {
  readonly response: ServerResponse;
  bytes: number;
  /** When bytes came last, by `performance.now()`. */
  since: number;
}

/**
 * Watches bodies that are on their way, and tells of those of which no byte comes any more. One timer for all, since a timer for each
 * would cost every request.
 */
export class StalledBodies {
  readonly #patience: number;
  readonly #stalled: (request: IncomingMessage, response: ServerResponse) => void;
  readonly #open = new Map<IncomingMessage, Progress>();
  readonly #timer: NodeJS.Timeout;

  /**
   * @param patience milliseconds without a byte; a body may take up to a third more
   * @param stalled called once for a body
   */
  constructor(patience: number, stalled: (request: IncomingMessage, response: ServerResponse) => void) {
    this.#patience = patience;
    this.#stalled = stalled;
    this.#timer = setInterval(() => this.#look(performance.now()), Math.ceil(patience / 3)).unref();
  }

  watch(request: IncomingMessage, response: ServerResponse): void {
    if (!hasBody(request)) return;
    this.#open.set(request, { response, bytes: request.socket.bytesRead, since: performance.now() });
    request.once('close', () => this.#open.delete(request));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(now: number): void {
    for (const [request, progress] of this.#open) {
      const { bytesRead } = request.socket;
      // While nobody here reads, the sender is not to blame.
      const isHeld = request.isPaused() || request.readableLength >= request.readableHighWaterMark;
      if (request.complete) {
        this.#open.delete(request);
      } else if (bytesRead !== progress.bytes || isHeld) {
        progress.bytes = bytesRead;
        progress.since = now;
      } else if (now - progress.since >= this.#patience) {
        this.#open.delete(request);
        this.#stalled(request, progress.response);
      }
    }
  }
}

import type { ServerResponse } from 'node:http';

/** A client that may leave before it has its answer, which ends what was asked of the server for it. Cheaper than a signal. */
export class Leaving {
  #isGone = false;
  #abort: ((reason: Error) => void) | undefined;

  /** @param onGone called where it leaves early */
  constructor(response: ServerResponse, onGone?: () => void) {
    response.once('close', () => {
      if (response.writableFinished) return;
      this.#isGone = true;
      onGone?.();
      this.#abort?.(new Error('the client has left'));
    });
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** To be handed what ends the request to the server. */
  readonly onStart = (abort: (reason: Error) => void): void => {
    this.#abort = abort;
    if (this.#isGone) abort(new Error('the client has left'));
  };
}

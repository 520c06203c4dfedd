import type { ModelCall } from '../dialect.ts';

/** What has become of the calls of a message. */
export class CallTally {
  /** Calls that the client was to run. */
  #denied = 0;
  #remaining = 0;
  /** Ids of denied calls that have run: their results are withheld. */
  readonly #deniedIds = new Set<string>();

  add(call: ModelCall, isAllowed: boolean): void {
    if (call.runBy === 'provider') {
      if (!isAllowed && call.id !== '') this.#deniedIds.add(call.id);
    } else if (isAllowed) this.#remaining++;
    else this.#denied++;
  }

  /** Is it the result of a call that was denied? @param id the call's; undefined where a block is no result */
  isWithheld(id: string | undefined): boolean {
    return id !== undefined && this.#deniedIds.has(id);
  }

  /**
   * Nothing is left to run of what there was, so that the message can't have stopped for it. A message may also stop for a tool of the
   * provider's whose result is to come, so that calls have to have been denied.
   */
  get isNothingLeft(): boolean {
    return this.#denied > 0 && this.#remaining === 0;
  }
}

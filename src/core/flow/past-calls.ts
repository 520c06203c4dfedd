import { LONGEST_WINDOW, MOST_CALLS, type PastCall } from './window.ts';

/**
 * The calls of a session that a later one may go with: those that went on, in the order in which they did, the newest `MOST_CALLS`. What
 * was denied is not kept, so that no number of denials can push out what matters.
 *
 * No call is later than one that came after it, nor than now: where a clock was set back, the times of what came before are set to what
 * it says then. It counts as just made and ages from there; left as they are, such calls would be new for as long as the clock was wrong.
 */
export class PastCalls {
  /** In order of time. Those before `#start` are gone. Age alone removes none: the clock may be set back again. */
  #calls: PastCall[] = [];
  #start = 0;

  /** Adds the newest call. Takes constant time, on average. */
  add(call: PastCall): void {
    if (!call.isForwarded) return;
    this.nowFrom(call.time);
    this.#calls.push(call);
    if (this.#calls.length - this.#start > MOST_CALLS) this.#start++;
    if (this.#start <= MOST_CALLS) return;
    this.#calls = this.#calls.slice(this.#start);
    this.#start = 0;
  }

  /** Forgets a call that did not go on after all. */
  retract(id: string): void {
    const index = this.#calls.findLastIndex((call) => call.id === id);
    if (index >= this.#start) this.#calls.splice(index, 1);
  }

  /**
   * The time that a decision goes by, from what the clock says, both in milliseconds since the epoch. It is never before the newest
   * call; that is seen to here.
   */
  nowFrom(clock: number): number {
    for (let i = this.#calls.length - 1; i >= this.#start; i--) {
      const call = this.#calls[i];
      if (call === undefined || call.time <= clock) break;
      this.#calls[i] = { ...call, time: clock };
    }
    return clock;
  }

  /** The calls of the longest window before `now`, oldest first. What is added or taken back later does not change the list. */
  list(now: number): readonly PastCall[] {
    const since = now - LONGEST_WINDOW;
    let start = this.#start;
    while ((this.#calls[start]?.time ?? since) < since) start++;
    return this.#calls.slice(start);
  }
}

import { LONGEST_WINDOW, MOST_CALLS, type PastCall } from './window.ts';

/**
 * The calls of a session that a later one may go with: those that went on, in the order in which they did, `MOST_CALLS` at most. What
 * was denied is not kept, so that no number of denials can push out what matters. Nor can calls that are let go on: where there are too
 * many, the oldest of the server that has most of them is forgotten, so that one server's calls push out each other.
 *
 * No call is later than one that came after it, nor than now: where a clock was set back, the times of what came before are set to what
 * it says then. It counts as just made and ages from there; left as they are, such calls would be new for as long as the clock was wrong.
 */
export class PastCalls {
  /** In order of time. Age alone removes none: the clock may be set back again. */
  readonly #calls: PastCall[] = [];
  readonly #counts = new Map<string, number>();

  /** Adds the newest call. */
  add(call: PastCall): void {
    if (!call.isForwarded) return;
    this.nowFrom(call.time);
    this.#calls.push(call);
    this.#count(call.server, 1);
    if (this.#calls.length > MOST_CALLS) this.#remove(this.#indexOfSpare());
  }

  /** Forgets a call that did not go on after all. */
  retract(id: string): void {
    this.#remove(this.#calls.findLastIndex((call) => call.id === id));
  }

  /** Of the oldest call of the server with the most. */
  #indexOfSpare(): number {
    let busiest = '';
    let most = 0;
    for (const [server, count] of this.#counts) {
      if (count <= most) continue;
      busiest = server;
      most = count;
    }
    return this.#calls.findIndex(({ server }) => server === busiest);
  }

  #remove(index: number): void {
    const call = this.#calls[index];
    if (call === undefined) return;
    this.#calls.splice(index, 1);
    this.#count(call.server, -1);
  }

  #count(server: string, by: number): void {
    const count = (this.#counts.get(server) ?? 0) + by;
    if (count === 0) this.#counts.delete(server);
    else this.#counts.set(server, count);
  }

  /**
   * The time that a decision goes by, from what the clock says, both in milliseconds since the epoch. It is never before the newest
   * call; that is seen to here.
   */
  nowFrom(clock: number): number {
    for (let i = this.#calls.length - 1; i >= 0; i--) {
      const call = this.#calls[i];
      if (call === undefined || call.time <= clock) break;
      this.#calls[i] = { ...call, time: clock };
    }
    return clock;
  }

  /** The calls of the longest window before `now`, oldest first. What is added or taken back later does not change the list. */
  list(now: number): readonly PastCall[] {
    const since = now - LONGEST_WINDOW;
    let start = 0;
    while ((this.#calls[start]?.time ?? since) < since) start++;
    return this.#calls.slice(start);
  }
}

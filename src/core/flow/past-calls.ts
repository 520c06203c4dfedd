import type { PastCall } from '../finding.ts';
import { LONGEST_WINDOW, MOST_CALLS } from '../facts.ts';

/** Older calls that are kept besides, of one server and of all. */
const MOST_OLDER = { ofOne: 40, ofAll: 400 } as const;

/**
 * The calls of a session that a later one may go with: those that went on, in the order in which they did, the newest `MOST_CALLS`. What
 * was denied is not kept, so that no number of denials can push out what matters. Nor can what is let go on: a few older calls of each
 * server are kept as well, so that no number of one server's pushes out the few of another.
 *
 * No call is later than one that came after it, nor than now: where a clock was set back, the times of what came before are set to what
 * it says then. It counts as just made and ages from there; left as they are, such calls would be new for as long as the clock was wrong.
 */
export class PastCalls {
  /** In order of time. Age alone removes none: the clock may be set back again. */
  readonly #calls: PastCall[] = [];
  /** So many of them, the first ones, are older than the newest, and so many of these are of each server. */
  #older = 0;
  readonly #counts = new Map<string, number>();

  /** Adds the newest call. */
  add(call: PastCall): void {
    if (!call.isForwarded) return;
    this.nowFrom(call.time);
    this.#calls.push(call);
    if (this.#calls.length - this.#older <= MOST_CALLS) return;
    const server = this.#calls[this.#older]?.server ?? '';
    this.#countOlder(server, 1);
    if ((this.#counts.get(server) ?? 0) > MOST_OLDER.ofOne) this.#remove(this.#oldestOf(server));
    else if (this.#older > MOST_OLDER.ofAll) this.#remove(this.#oldestOf(this.#busiest()));
  }

  /** Forgets a call that did not go on after all. */
  retract(id: string): void {
    this.#remove(this.#calls.findLastIndex((call) => call.id === id));
  }

  /** A call that is kept. */
  find(id: string): PastCall | undefined {
    return this.#calls.findLast((call) => call.id === id);
  }

  #oldestOf(server: string): number {
    return this.#calls.findIndex((call) => call.server === server);
  }

  /** The server with most of the older calls. */
  #busiest(): string {
    const [first] = [...this.#counts].sort(([, one], [, other]) => other - one);
    return first?.[0] ?? '';
  }

  #remove(index: number): void {
    const [call] = index === -1 ? [] : this.#calls.splice(index, 1);
    if (call !== undefined && index < this.#older) this.#countOlder(call.server, -1);
  }

  #countOlder(server: string, by: number): void {
    this.#older += by;
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
    // Halved, since a session of days has many that are older.
    let start = 0;
    for (let end = this.#calls.length; start < end;) {
      const middle = (start + end) >>> 1;
      if ((this.#calls[middle]?.time ?? since) < since) start = middle + 1;
      else end = middle;
    }
    return this.#calls.slice(start);
  }
}

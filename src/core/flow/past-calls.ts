import type { PastCall } from '../finding.ts';
import { LONGEST_WINDOW, MOST_CALLS } from '../facts.ts';

/** Most older calls that are kept in addition, of one server and of all. */
const MOST_OLDER = { ofOne: 40, ofAll: 400 } as const;

/**
 * The calls of a session that a later one may relate to: those that went on, in that order, the newest `MOST_CALLS`. Denied calls are not
 * kept, so that no number of denials can push out important ones. Nor can allowed calls: a few older calls of each server are kept as well,
 * so that many calls of one server do not push out the few of another.
 *
 * No call is later than one that came after it, nor than now: if a clock was set back, the times of earlier calls are set to its new time.
 * They count as just made and age from there; otherwise they would stay new for as long as the clock was wrong.
 */
export class PastCalls {
  /** In order of time. Age alone removes none: the clock may be set back again. */
  readonly #calls: PastCall[] = [];
  /** Number of older calls, which come first, and their numbers by server. */
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

  /** A kept call, by id. */
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
   * The time for a decision, from the clock, both in milliseconds since the epoch. It is never before the newest call: later ones are set
   * to it here.
   */
  nowFrom(clock: number): number {
    for (let i = this.#calls.length - 1; i >= 0; i--) {
      const call = this.#calls[i];
      if (call === undefined || call.time <= clock) break;
      this.#calls[i] = { ...call, time: clock };
    }
    return clock;
  }

  /** The calls of the longest window before `now`, oldest first. Later additions and removals do not change the list. */
  list(now: number): readonly PastCall[] {
    const since = now - LONGEST_WINDOW;
    // A binary search, since a session of days has many older calls.
    let start = 0;
    for (let end = this.#calls.length; start < end;) {
      const middle = (start + end) >>> 1;
      if ((this.#calls[middle]?.time ?? since) < since) start = middle + 1;
      else end = middle;
    }
    return this.#calls.slice(start);
  }
}

import type { Judgement } from './fail-closed.ts';
import type { Verdict } from './verdict.ts';

/** The part of a gate that `Rounds` needs. */
export interface RoundGate {
  commit(): boolean;
  ready(): Promise<void>;
}

/** A verdict that comes later: when its decision is on record, or when a person has answered. */
export interface PendingVerdict {
  readonly kind: 'late';
  readonly verdict: Promise<Verdict>;
  /** True if a person is asked: other messages pass meanwhile. */
  readonly isParked: boolean;
}

/** Milliseconds after a round in which the next one counts as part of many. */
const BUSY_FOR = 2;

/** Most turns of the event loop that a round may take, and most messages in it; others may want the store, too. */
const MOST_TURNS = 6;
const MOST_WAITING = 32;

/**
 * Commits what the gates of many connections decide in one turn of the event loop together, which costs little more than one commit. Verdicts
 * that need their record wait for it; others do not.
 */
export class Rounds {
  #gates = new Set<RoundGate>();
  /** Gates that have judged in this turn, some more than once: a set would allocate a table every turn. */
  #touched: RoundGate[] = [];
  #waiting: { readonly gate: RoundGate; readonly settle: (isOnRecord: boolean) => void }[] = [];
  #isOpen = false;
  /** True if the round ends in this turn or, while more come, in one of the next. */
  #isEnding = false;
  /** Time of the last round's end, in milliseconds. */
  #closedAt = Number.NEGATIVE_INFINITY;
  #gathering: Promise<void> | undefined;
  /** True while the gathered messages are judged. */
  #isTogether = false;

  /**
   * Resolves at the end of this turn of the event loop, for all callers in order. Messages that are judged right after each other take up
   * to half the time, since the code stays in the processor's caches.
   */
  gathered(): Promise<void> {
    this.#gathering ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#gathering = undefined;
        this.#isTogether = true;
        resolve();
      });
      // Runs right after them.
      setImmediate(() => {
        this.#isTogether = false;
        this.#endSoon();
      });
    });
    return this.#gathering;
  }

  /**
   * Judges a message in the current round.
   *
   * @param judge has `gate` judge one message; called again if the store was taken, so the bytes must still be there
   * @param onParked called if it turns out later that a person is asked
   */
  judge(gate: RoundGate, judge: () => Judgement, onParked?: () => void): Verdict | PendingVerdict {
    const judged = judge();
    this.#note(gate);
    if (judged instanceof Promise) return { kind: 'late', verdict: judged, isParked: true };
    if (judged.kind === 'busy') return { kind: 'late', verdict: this.#again(gate, judge, onParked), isParked: false };
    if (judged.kind !== 'recorded') return judged;
    this.#gates.add(gate);
    this.#open();
    const settled = new Promise<Verdict>((resolve) => {
      const settle = (isOnRecord: boolean): void => resolve(isOnRecord ? judged.verdict : judged.otherwise());
      this.#waiting.push({ gate, settle });
    });
    return { kind: 'late', verdict: settled, isParked: false };
  }

  /** Runs a look-up for `gate` within the round, so that it does not keep the store from others any longer. */
  lookUp<T>(gate: RoundGate, find: () => T): T {
    try {
      return find();
    } finally {
      this.#note(gate);
    }
  }

  async #again(gate: RoundGate, judge: () => Judgement, onParked: (() => void) | undefined): Promise<Verdict> {
    await gate.ready();
    const judged = this.judge(gate, judge, onParked);
    if (judged.kind !== 'late') return judged;
    if (judged.isParked) onParked?.();
    return judged.verdict;
  }

  /** Ends the round of a gate that needs no record, at once: the next one uses the policy of its own time. */
  #note(gate: RoundGate): void {
    if (this.#touched.at(-1) === gate) return;
    if (this.#touched.push(gate) === 1) process.nextTick(this.#settleTouched);
  }

  readonly #settleTouched = (): void => {
    for (const touched of this.#touched) {
      // While others wait for their record, they share the transaction, which is still read until the turn has ended.
      if (this.#isOpen) this.#gates.add(touched);
      else touched.commit();
    }
    this.#touched = [];
  };

  #open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    // The end of the gathered messages closes it in any case.
    if (!this.#isTogether) setImmediate(() => this.#endSoon());
  }

  #endSoon(): void {
    if (!this.#isOpen || this.#isEnding) return;
    this.#isEnding = true;
    // A single message does not wait for others.
    const isBusy = performance.now() - this.#closedAt < BUSY_FOR;
    this.#turn(isBusy ? 0 : MOST_TURNS, 0);
  }

  /** Ends the round, or waits for another turn of the event loop while more come: one commit for all costs little more than for one. */
  #turn(turns: number, before: number): void {
    const now = this.#waiting.length;
    const isMore = now > before || this.#gathering !== undefined;
    if (turns < MOST_TURNS && isMore && now < MOST_WAITING) setImmediate(() => this.#turn(turns + 1, now));
    else this.#close();
  }

  #close(): void {
    const waiting = this.#waiting;
    const isOnRecord = new Map(Array.from(this.#gates, (gate) => [gate, gate.commit()]));
    this.#waiting = [];
    // Not cleared: a cleared set keeps its old table in memory until a full garbage collection.
    this.#gates = new Set();
    this.#isOpen = false;
    this.#isEnding = false;
    this.#closedAt = performance.now();
    for (const { gate, settle } of waiting) settle(isOnRecord.get(gate) === true);
  }
}

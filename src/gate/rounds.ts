import type { Judgement } from './guard.ts';
import type { Verdict } from './verdict.ts';

/** The part of a gate that decides in transactions. */
export interface RoundGate {
  record(): boolean;
  ready(): Promise<void>;
}

/** A verdict that is still to come: in a moment, when what was decided is on record, or when a person has answered. */
export interface LateVerdict {
  readonly kind: 'late';
  readonly verdict: Promise<Verdict>;
  /** A person is asked: what else there is passes meanwhile. */
  readonly isParked: boolean;
}

/** Milliseconds after a round in which the next one is taken for part of many. */
const BUSY_FOR = 2;

/** Turns of the event loop that a round may take, and messages that it may have; others may want the store, too. */
const MOST_TURNS = 6;
const MOST_WAITING = 32;

/**
 * Has the gates of many connections decide in rounds: all that comes in one turn of the event loop is recorded in one go, and only then
 * goes on. What needs no record does not wait.
 */
export class Rounds {
  #gates = new Set<RoundGate>();
  /** Gates that have judged something in this turn; some more than once. No set, which would make itself anew in every turn. */
  #touched: RoundGate[] = [];
  #waiting: { readonly gate: RoundGate; readonly settle: (isOnRecord: boolean) => void }[] = [];
  #isOpen = false;
  /** It ends in this turn or, while more come, in one of the next. */
  #isEnding = false;
  /** Milliseconds, of the last round's end. */
  #closedAt = Number.NEGATIVE_INFINITY;
  #gathering: Promise<void> | undefined;
  /** Those who were gathered are judging. */
  #isTogether = false;

  /**
   * Resolves at the end of this turn of the event loop, for all who wait for it one right after the other, in their order: what is judged then is
   * judged by code that the processor still has at hand, while each by itself, between reading and writing, takes up to twice as long.
   */
  gathered(): Promise<void> {
    this.#gathering ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#gathering = undefined;
        this.#isTogether = true;
        resolve();
      });
      // Right behind them.
      setImmediate(() => {
        this.#isTogether = false;
        this.#endSoon();
      });
    });
    return this.#gathering;
  }

  /**
   * @param judge has `gate` judge one message; called again where the store was taken, so that the bytes must still be there
   * @param onParked called where it turns out later that a person is asked
   */
  judge(gate: RoundGate, judge: () => Judgement, onParked?: () => void): Verdict | LateVerdict {
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

  /** Has `gate` look something up, which belongs to the round and must not keep the store from others any longer. */
  look<T>(gate: RoundGate, look: () => T): T {
    try {
      return look();
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

  /** What needs no record ends its round by itself, and at once: the next one is decided by the policy that there is then. */
  #note(gate: RoundGate): void {
    if (this.#touched.at(-1) === gate) return;
    if (this.#touched.push(gate) === 1) process.nextTick(this.#settleTouched);
  }

  readonly #settleTouched = (): void => {
    for (const touched of this.#touched) {
      // While others wait for their record, the transaction is theirs, too, and may be read in until the turn has ended.
      if (this.#isOpen) this.#gates.add(touched);
      else touched.record();
    }
    this.#touched = [];
  };

  #open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    // Behind those who are gathered, it ends in any case.
    if (!this.#isTogether) setImmediate(() => this.#endSoon());
  }

  #endSoon(): void {
    if (!this.#isOpen || this.#isEnding) return;
    this.#isEnding = true;
    // Who comes alone does not wait for company.
    const isBusy = performance.now() - this.#closedAt < BUSY_FOR;
    this.#turn(isBusy ? 0 : MOST_TURNS, 0);
  }

  /** Ends the round, or waits for another turn of the event loop while ever more come: what all of them record costs little more than what one does. */
  #turn(turns: number, before: number): void {
    const now = this.#waiting.length;
    const isMore = now > before || this.#gathering !== undefined;
    if (turns < MOST_TURNS && isMore && now < MOST_WAITING) setImmediate(() => this.#turn(turns + 1, now));
    else this.#close();
  }

  #close(): void {
    const waiting = this.#waiting;
    const isOnRecord = new Map(Array.from(this.#gates, (gate) => [gate, gate.record()]));
    this.#waiting = [];
    // Not cleared: what a set was before is then kept by what it has become, until all memory is looked through.
    this.#gates = new Set();
    this.#isOpen = false;
    this.#isEnding = false;
    this.#closedAt = performance.now();
    for (const { gate, settle } of waiting) settle(isOnRecord.get(gate) === true);
  }
}

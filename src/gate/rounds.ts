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

/**
 * Has the gates of many connections decide in rounds: all that comes in one turn of the event loop is recorded in one go, and only then
 * goes on. What needs no record does not wait.
 */
export class Rounds {
  readonly #gates = new Set<RoundGate>();
  #waiting: { readonly gate: RoundGate; readonly settle: (isOnRecord: boolean) => void }[] = [];
  #isOpen = false;

  /**
   * @param judge has `gate` judge one message; called again where the store was taken, so that the bytes must still be there
   * @param onParked called where it turns out later that a person is asked
   */
  judge(gate: RoundGate, judge: () => Judgement, onParked?: () => void): Verdict | LateVerdict {
    this.#gates.add(gate);
    this.#open();
    const judged = judge();
    if (judged instanceof Promise) return { kind: 'late', verdict: judged, isParked: true };
    if (judged.kind === 'busy') return { kind: 'late', verdict: this.#again(gate, judge, onParked), isParked: false };
    if (judged.kind !== 'recorded') return judged;
    const settled = new Promise<Verdict>((resolve) => {
      const settle = (isOnRecord: boolean): void => resolve(isOnRecord ? judged.verdict : judged.otherwise());
      this.#waiting.push({ gate, settle });
    });
    return { kind: 'late', verdict: settled, isParked: false };
  }

  async #again(gate: RoundGate, judge: () => Judgement, onParked: (() => void) | undefined): Promise<Verdict> {
    await gate.ready();
    const judged = this.judge(gate, judge, onParked);
    if (judged.kind !== 'late') return judged;
    if (judged.isParked) onParked?.();
    return judged.verdict;
  }

  #open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    setImmediate(() => this.#close());
  }

  #close(): void {
    const waiting = this.#waiting;
    // Also those that recorded nothing: the next round is decided by the policy that there is then.
    const isOnRecord = new Map(Array.from(this.#gates, (gate) => [gate, gate.record()]));
    this.#waiting = [];
    this.#gates.clear();
    this.#isOpen = false;
    for (const { gate, settle } of waiting) settle(isOnRecord.get(gate) === true);
  }
}

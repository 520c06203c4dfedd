import type { Frame } from './frame.ts';

/** One after the other of these would be looked at again for each call that they wait behind. */
const MOST_BEHIND = 4096;

type Step = () => void;

/** What has come of a stream and waits for its turn: events, and questions that events gave rise to. In order. */
export class PendingFrames {
  readonly #maxSize: number;
  readonly #take: (frame: Frame) => void;
  #steps: (Frame | Step)[] = [];
  #next = 0;
  /** Events that wait for the end of the call that is open, apart from the others: those of the call itself pass them. */
  #behind: Frame[] = [];
  #size = 0;

  /** @param options `take`: whom events go to when it is their turn; `maxSize`: how many characters may wait */
  constructor(options: { readonly maxSize: number; readonly take: (frame: Frame) => void }) {
    this.#maxSize = options.maxSize;
    this.#take = options.take;
  }

  get isEmpty(): boolean {
    return this.#next === this.#steps.length;
  }

  get hasBehind(): boolean {
    return this.#behind.length > 0;
  }

  get isTooMuch(): boolean {
    return this.#size > this.#maxSize || this.#behind.length > MOST_BEHIND;
  }

  /** Puts an event behind all others. */
  add(frame: Frame): void {
    this.#size += frame.data.length;
    this.#steps.push(frame);
  }

  /** Puts an event behind the call that is open. */
  addBehind(frame: Frame): void {
    this.#size += frame.data.length;
    this.#behind.push(frame);
  }

  /** What has waited behind the call that was open is next. */
  releaseBehind(): void {
    if (this.#behind.length === 0) return;
    this.#prepend(this.#behind);
    this.#behind = [];
  }

  /** Puts steps before all others. */
  prepend(steps: readonly Step[]): void {
    this.#prepend(steps);
  }

  /** Does the next of them. There is one. */
  runNext(): void {
    const step = this.#steps[this.#next];
    this.#next++;
    if (this.isEmpty) this.clear();
    if (typeof step === 'function') step();
    else if (step !== undefined) {
      this.#size -= step.data.length;
      this.#take(step);
    }
  }

  clear(): void {
    this.#steps = [];
    this.#next = 0;
  }

  clearAll(): void {
    this.clear();
    this.#behind = [];
    this.#size = 0;
  }

  #prepend(steps: readonly (Frame | Step)[]): void {
    this.#steps = [...steps, ...this.#steps.slice(this.#next)];
    this.#next = 0;
  }
}

import { type Step, StepQueue } from '../step-queue.ts';
import type { Frame } from './frame.ts';

/** One after the other of these would be looked at again for each call that they wait behind. */
const MOST_BEHIND = 4096;

/** Events that wait for their turn, some of them for the end of the call that is open. */
export class PendingFrames extends StepQueue {
  readonly #take: (frame: Frame) => void;
  /** Events that wait for the end of the call that is open, apart from the others: those of the call itself pass them. */
  #behind: Step[] = [];

  /** @param options `take`: whom events go to when it is their turn; `maxSize`: how many characters may wait */
  constructor({ maxSize, take }: { readonly maxSize: number; readonly take: (frame: Frame) => void }) {
    super(maxSize);
    this.#take = take;
  }

  get hasBehind(): boolean {
    return this.#behind.length > 0;
  }

  override get isTooMuch(): boolean {
    return super.isTooMuch || this.#behind.length > MOST_BEHIND;
  }

  /** Puts an event behind all others. */
  add(frame: Frame): void {
    this.push(this.#stepOf(frame));
  }

  /** Puts an event behind the call that is open. */
  addBehind(frame: Frame): void {
    this.#behind.push(this.#stepOf(frame));
  }

  /** What has waited behind the call that was open is next. */
  releaseBehind(): void {
    if (this.#behind.length === 0) return;
    this.prepend(this.#behind);
    this.#behind = [];
  }

  override clear(): void {
    super.clear();
    this.#behind = [];
  }

  #stepOf(frame: Frame): Step {
    return this.counted(frame.data.length, () => this.#take(frame));
  }
}

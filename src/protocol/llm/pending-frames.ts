import { type Step, StepQueue } from './step-queue.ts';
import type { Frame } from './typed-frame.ts';

/** Most events that wait behind a call; more of them would be requeued again and again. */
const MOST_BEHIND = 4096;

/** Queues events until their turn; some wait for the end of the open call. */
export class PendingFrames<F extends Frame = Frame> extends StepQueue {
  readonly #take: (frame: F) => void;
  /** Events that wait for the end of the open call, kept apart since the call's own events overtake them. */
  #behind: Step[] = [];

  /** @param options `take`: called with each event in its turn; `maxSize`: most characters in the queue */
  constructor({ maxSize, take }: { readonly maxSize: number; readonly take: (frame: F) => void }) {
    super(maxSize);
    this.#take = take;
  }

  get hasBehind(): boolean {
    return this.#behind.length > 0;
  }

  override get isTooMuch(): boolean {
    return super.isTooMuch || this.#behind.length > MOST_BEHIND;
  }

  /** Appends an event. */
  add(frame: F): void {
    this.push(this.#stepOf(frame));
  }

  /** Queues an event behind the open call. */
  addBehind(frame: F): void {
    this.#behind.push(this.#stepOf(frame));
  }

  /** Puts the events behind the finished call at the front. */
  releaseBehind(): void {
    if (this.#behind.length === 0) return;
    this.prepend(this.#behind);
    this.#behind = [];
  }

  override clear(): void {
    super.clear();
    this.#behind = [];
  }

  #stepOf(frame: F): Step {
    return this.counted(frame.data.length, () => this.#take(frame));
  }
}

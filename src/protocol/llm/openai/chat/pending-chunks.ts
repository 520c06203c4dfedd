import { type Step, StepQueue } from '../../step-queue.ts';
import type { Chunk } from './chunk.ts';

/** Most chunks that wait; more of them would be requeued for each call that they wait behind. */
const MOST_WAITING = 4096;

/** Queues chunks until their turn. Waiting for calls of one choice does not hold up the others. */
export class PendingChunks extends StepQueue {
  /** Choices with something in the queue. */
  #blocked = new Set<number>();
  #isAllBlocked = false;
  #count = 0;

  override get isTooMuch(): boolean {
    return super.isTooMuch || this.#count > MOST_WAITING;
  }

  /** Tells whether content of a choice must wait. */
  isBlocked(choice: number): boolean {
    return this.#isAllBlocked || this.#blocked.has(choice);
  }

  /** Tells whether a chunk must wait. A chunk without choices waits for everything. */
  isChunkBlocked({ choices }: Chunk): boolean {
    if (this.#isAllBlocked) return true;
    return choices.length === 0 ? this.#blocked.size > 0 : choices.some(({ index }) => this.#blocked.has(index));
  }

  /** Makes content of these choices wait from now on. */
  block(choices: readonly number[]): void {
    for (const choice of choices) this.#blocked.add(choice);
  }

  /** Appends a chunk. @param take runs in its turn */
  add(chunk: Chunk, take: Step): void {
    this.#count++;
    const step = (): void => {
      this.#count--;
      take();
    };
    this.push(this.counted(chunk.data.length, step));
    if (chunk.choices.length === 0) this.#isAllBlocked = true;
    this.block(chunk.choices.map(({ index }) => index));
  }

  /** Appends a step that blocks everything after it. */
  addLast(step: Step): void {
    this.push(step);
    this.#isAllBlocked = true;
  }

  /** Lifts all blocks; call it when nothing waits and no question is pending. */
  unblock(): void {
    this.#blocked.clear();
    this.#isAllBlocked = false;
  }

  override clear(): void {
    super.clear();
    this.#count = 0;
    this.unblock();
  }
}

import { type Step, StepQueue } from '../../step-queue.ts';
import type { Chunk } from './chunk.ts';

/** Chunks that may wait; one after the other of these would be looked at again for each call that they wait behind. */
const MOST_WAITING = 4096;

/** Chunks that wait for their turn. Whoever waits for calls of one choice does not hold up the others. */
export class PendingChunks extends StepQueue {
  /** Choices of which something waits. */
  #blocked = new Set<number>();
  #isAllBlocked = false;
  #count = 0;

  override get isTooMuch(): boolean {
    return super.isTooMuch || this.#count > MOST_WAITING;
  }

  /** Has what comes of a choice to wait? */
  isBlocked(choice: number): boolean {
    return this.#isAllBlocked || this.#blocked.has(choice);
  }

  /** Has a chunk to wait? One that is about no choice waits for everything. */
  isChunkBlocked({ choices }: Chunk): boolean {
    if (this.#isAllBlocked) return true;
    return choices.length === 0 ? this.#blocked.size > 0 : choices.some(({ index }) => this.#blocked.has(index));
  }

  /** What comes of these choices waits from now on. */
  block(choices: readonly number[]): void {
    for (const choice of choices) this.#blocked.add(choice);
  }

  /** Puts a chunk behind all others. @param take what is done with it when it is its turn */
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

  /** Puts a step behind all others; everything waits for it. */
  addLast(step: Step): void {
    this.push(step);
    this.#isAllBlocked = true;
  }

  /** Nothing waits any more, and nobody is asked. */
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

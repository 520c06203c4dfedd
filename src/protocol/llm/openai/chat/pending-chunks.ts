import type { Chunk } from './chunk.ts';

/** Chunks that may wait; one after the other of these would be looked at again for each call that they wait behind. */
const MOST_WAITING = 4096;

type Step = () => void;

/**
 * What has come of a stream and waits for its turn, in order: chunks, and questions that chunks gave rise to. Whoever waits for calls of one choice does not
 * hold up the others.
 */
export class PendingChunks {
  #steps: Step[] = [];
  #next = 0;
  /** Choices of which something waits. */
  #blocked = new Set<number>();
  #isAllBlocked = false;
  #size = 0;
  #count = 0;
  readonly #maxSize: number;

  /** @param maxSize characters that may wait */
  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  get isEmpty(): boolean {
    return this.#next === this.#steps.length;
  }

  get isTooMuch(): boolean {
    return this.#size > this.#maxSize || this.#count > MOST_WAITING;
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
    this.#size += chunk.data.length;
    this.#count++;
    this.#steps.push(() => {
      this.#size -= chunk.data.length;
      this.#count--;
      take();
    });
    if (chunk.choices.length === 0) this.#isAllBlocked = true;
    this.block(chunk.choices.map(({ index }) => index));
  }

  /** Puts a step behind all others; everything waits for it. */
  addLast(step: Step): void {
    this.#steps.push(step);
    this.#isAllBlocked = true;
  }

  /** Puts steps before all others. */
  prepend(steps: readonly Step[]): void {
    this.#steps = [...steps, ...this.#steps.slice(this.#next)];
    this.#next = 0;
  }

  /** Does the next of them. There is one. */
  runNext(): void {
    const step = this.#steps[this.#next];
    this.#next++;
    if (this.isEmpty) {
      this.#steps = [];
      this.#next = 0;
    }
    step?.();
  }

  /** Nothing waits any more, and nobody is asked. */
  unblock(): void {
    this.#blocked.clear();
    this.#isAllBlocked = false;
  }

  clear(): void {
    this.#steps = [];
    this.#next = 0;
    this.#size = 0;
    this.#count = 0;
    this.unblock();
  }
}

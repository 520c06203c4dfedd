export type Step = () => void;

/** What has come of a stream and waits for its turn, in order, with the questions that it gave rise to. */
export class StepQueue {
  readonly #maxSize: number;
  #steps: Step[] = [];
  #next = 0;
  #size = 0;

  /** @param maxSize characters that may wait */
  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  get isEmpty(): boolean {
    return this.#next === this.#steps.length;
  }

  get isTooMuch(): boolean {
    return this.#size > this.#maxSize;
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

  clear(): void {
    this.#steps = [];
    this.#next = 0;
    this.#size = 0;
  }

  /** Puts a step behind all others. */
  protected push(step: Step): void {
    this.#steps.push(step);
  }

  /** Counts the characters of what has come until it has its turn. */
  protected counted(size: number, step: Step): Step {
    this.#size += size;
    return () => {
      this.#size -= size;
      step();
    };
  }
}

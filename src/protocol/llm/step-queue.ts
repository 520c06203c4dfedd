export type Step = () => void;

/** Queues a stream's content until its turn, in order, with the questions that it causes. */
export class StepQueue {
  readonly #maxSize: number;
  #steps: Step[] = [];
  #next = 0;
  #size = 0;

  /** @param maxSize most characters in the queue */
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

  /** Runs the next step; the queue must not be empty. */
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

  /** Appends a step. */
  protected push(step: Step): void {
    this.#steps.push(step);
  }

  /** Wraps a step so that its characters count until it runs. */
  protected counted(size: number, step: Step): Step {
    this.#size += size;
    return () => {
      this.#size -= size;
      step();
    };
  }
}

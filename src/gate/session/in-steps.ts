import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../ports/ports.ts';

/** Microseconds of reading after which others get their turn. */
const MOST_WORK = 150;

/** Runs long work in steps, so that passing messages do not wait for all of it. */
export class InSteps {
  readonly #clock: Clock;
  /** The time of the next turn for others, on the clock's `elapsed`. */
  #ending = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param visit receives what the steps yield */
  async run<Step, T>(work: Generator<Step, T>, visit: (step: Step) => void = () => {}): Promise<T> {
    for (;;) {
      const step = work.next();
      if (step.done === true) return step.value;
      visit(step.value);
      await this.letOthers();
    }
  }

  /** Lets passing messages go first from time to time. */
  async letOthers(): Promise<void> {
    if (this.#clock.elapsed() < this.#ending) return;
    await setImmediate();
    this.#ending = this.#clock.elapsed() + MOST_WORK;
  }
}

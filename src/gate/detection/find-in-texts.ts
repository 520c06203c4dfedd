import { setImmediate } from 'node:timers/promises';
import type { Detection, Detector, TextField, TextOrigin } from '../../core/detect/types.ts';
import type { Clock } from '../ports.ts';
import type { TurnTaking } from './look.ts';
import { groupsOf, inWhole, withoutRepeats } from './text-groups.ts';

/** Microseconds of looking after which others get their turn. */
const MOST_WORK = 150;

/** Lets what passes meanwhile go first, every so much work. */
export class Turns implements TurnTaking {
  readonly #clock: Clock;
  readonly #pause: () => Promise<unknown>;
  /** When others get their turn, as the clock's `elapsed`. */
  #ending = 0;

  /** @param pause what comes between; without it, as long as others have something to do */
  constructor(clock: Clock, pause: () => Promise<unknown> = () => setImmediate()) {
    this.#clock = clock;
    this.#pause = pause;
  }

  async letOthers(): Promise<void> {
    if (this.#clock.elapsed() < this.#ending) return;
    await this.#pause();
    this.#ending = this.#clock.elapsed() + MOST_WORK;
  }
}

/** What was found in a message's texts. */
export interface FoundInTexts {
  readonly detections: readonly Detection[];
  readonly isCut: boolean;
}

/** Looks at the texts of one message step by step, so that what passes meanwhile does not wait for all of it. */
export async function findInTexts(
  detector: Detector,
  texts: readonly TextField[],
  { origin, turns }: { readonly origin: TextOrigin; readonly turns: TurnTaking },
): Promise<FoundInTexts> {
  const all: Detection[] = [];
  let isCut = false;
  for (const group of groupsOf(texts)) {
    await turns.letOthers();
    const inspection = detector.texts(origin, group.fields);
    isCut ||= inspection.isCut;
    all.push(...inWhole(inspection.detections, group));
  }
  return { detections: withoutRepeats(all), isCut };
}

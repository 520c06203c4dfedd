import { textOf } from '../log/event-fields.ts';
import type { ReportEvent } from './report-event.ts';
import { isModelCall } from './server-tally.ts';

/** So many are held; what more there is counts as seen in an answer alone. */
const MOST = 4096;

/**
 * Calls that were seen in answers of models, until they are seen where they are made: then they count there, and there alone. One that never is
 * stays what it is.
 */
export class ModelCallsHeld {
  readonly #held = new Map<string, ReportEvent>();
  readonly #most: number;

  constructor(most: number = MOST) {
    this.#most = most;
  }

  /** Holds a call of a model's that went on. @returns what counts now: the event where it is none, an older one in whose place it is */
  hold(event: ReportEvent): ReportEvent | undefined {
    const id = textOf(event.fields, 'id');
    if (!isModelCall(event) || event.action !== 'allow' || id === '') return event;
    const { input: _, ...fields } = event.fields;
    // Only an edit makes two of one id.
    const before = this.#held.get(id);
    this.#held.set(id, { ...event, fields });
    if (before !== undefined) return before;
    if (this.#held.size <= this.#most) return undefined;
    const [oldest] = this.#held.values();
    if (oldest !== undefined) this.#held.delete(textOf(oldest.fields, 'id'));
    return oldest;
  }

  /** Lets go of the call that this event is the second sighting of. @returns whether there was one */
  drop({ fields }: ReportEvent): boolean {
    const first = textOf(fields, 'sighting_of');
    return first !== '' && this.#held.delete(first);
  }

  /** Those that were seen in an answer alone; none is held any more. */
  release(): readonly ReportEvent[] {
    const left = [...this.#held.values()];
    this.#held.clear();
    return left;
  }
}

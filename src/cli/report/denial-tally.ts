import { subjectOf, textOf, type Fields } from '../log/event-fields.ts';
import { byCount, createCounts, Groups } from './groups.ts';
import { isOnlyObserved, type ReportEvent } from './report-event.ts';
import type { CallExample, DenialGroup, SessionReport } from './report.ts';
import { isModelCall } from './server-tally.ts';

/** Examples of one kind of denial. */
const EXAMPLES = 3;

/** Groups calls that were denied, or would have been. */
export class DenialTally {
  readonly #groups = new Groups<Omit<DenialGroup, 'count' | 'examples'>, { readonly examples: CallExample[] }>(() => ({
    examples: [],
  }));
  readonly #limited = createCounts<{ readonly server_id: string }>();

  /** A call, whatever became of it. */
  add(event: ReportEvent): void {
    const { action, fields, server } = event;
    const enforced = action !== 'allow';
    if (!enforced && !isOnlyObserved(action, fields)) return;
    const reason = textOf(fields, 'reason');
    const group = this.#groups.add({ reason, rule: ruleOf(reason, fields), enforced, by_model: isModelCall(event) });
    if (group !== undefined) addExample(group.examples, event);
    if (reason === 'rate_limit') this.#limited.add({ server_id: server });
  }

  report(): Pick<SessionReport, 'denials' | 'denials_left_off' | 'rate_limits_hit'> {
    // Enforced denials come first.
    const denials = this.#groups.top((one, other) => Number(other.enforced) - Number(one.enforced) || byCount(one, other));
    return { denials, denials_left_off: this.#groups.leftOff(denials), rate_limits_hit: this.#limited.top() };
  }
}

/** The rule that decided: of several flow rules the first one. */
function ruleOf(reason: string, fields: Fields): string | null {
  const rule = reason === 'flow' ? textOf(fields, 'flow').split(' ', 1).join('') : textOf(fields, 'rule');
  return rule === '' ? null : rule;
}

function addExample(examples: CallExample[], { timestamp, server, tool, fields }: ReportEvent): void {
  const subject = tool ?? subjectOf(fields);
  if (examples.length >= EXAMPLES || examples.some((known) => known.server_id === server && known.subject === subject)) return;
  examples.push({ timestamp, call_id: textOf(fields, 'id'), server_id: server, method: textOf(fields, 'method'), subject });
}

/** Calls that are held; more count as seen in an answer alone. */
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
    // A hook's event stands in the place of the first one, which the call at its server names as well.
    const id = firstOf(event);
    if (!isModelCall(event) || event.action !== 'allow' || id === '') return event;
    const { input: _, ...fields } = event.fields;
    // Two calls of one id come from an edit only.
    const before = this.#held.get(id);
    this.#held.set(id, { ...event, fields });
    if (before !== undefined) return before;
    if (this.#held.size <= this.#most) return undefined;
    const [oldest] = this.#held.values();
    if (oldest !== undefined) this.#held.delete(firstOf(oldest));
    return oldest;
  }

  /** Lets go of the call that this event is the second seen call of. @returns whether there was one */
  drop({ fields }: ReportEvent): boolean {
    const first = textOf(fields, 'sighting_of');
    return first !== '' && this.#held.delete(first);
  }

  /** Releases the calls that were seen in an answer alone. */
  release(): readonly ReportEvent[] {
    const left = [...this.#held.values()];
    this.#held.clear();
    return left;
  }
}

/** The id of the event in which a call was seen first. */
function firstOf({ fields }: ReportEvent): string {
  return textOf(fields, 'sighting_of') || textOf(fields, 'id');
}

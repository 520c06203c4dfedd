import { countOf, objectsOf, textOf } from '../log/event-fields.ts';
import { byCount, Groups, sumOf } from './groups.ts';
import type { ReportEvent } from './report-event.ts';
import { LISTED, type NotInspected, type RefusalGroup, type SessionReport } from './report.ts';
import { isCall } from './server-tally.ts';

/** What a connection that has ended says, and what it is summed up as. */
const SUMS = [
  'messages_passed',
  'messages_refused',
  'answers_unasked',
  'results_read',
  'results_cut',
  'results_not_read',
] as const satisfies readonly (keyof NotInspected)[];

/** Of one call; a store may have been edited. */
const MOST_INSPECTORS = 20;

type Sums = Record<(typeof SUMS)[number], number | null>;

interface Skipped {
  readonly what: string;
  readonly why: string;
  count: number;
}

/** Counts messages that were refused, and what was not looked at. */
export class TrafficTally {
  readonly #sums: Sums = Object.fromEntries(SUMS.map((name) => [name, null])) as Sums;
  readonly #refused = new Groups<RefusalGroup & { count: number }>();
  readonly #skipped = new Groups<Skipped>();
  readonly #inspectors = new Groups<{ readonly inspector: string; count: number }>();
  #refusals = 0;
  #withoutTurn = 0;

  add(event: ReportEvent): void {
    for (const skip of objectsOf(event.fields, 'skipped')) this.#addSkipped(textOf(skip, 'what'), textOf(skip, 'why'));
    if (event.type === 'mcp_connection_ended') this.#addSums(event);
    if (event.type === 'mcp_message_refused') this.#addRefused(event);
    if (isCall(event)) this.#addInspected(event);
  }

  refusals(): Pick<SessionReport, 'refused_messages' | 'refused_messages_left_off'> {
    const refused = this.#refused.top(LISTED, byCount);
    return { refused_messages: refused, refused_messages_left_off: this.#refusals - sumOf(refused) };
  }

  notInspected(): Omit<NotInspected, 'servers_not_ended'> {
    return {
      skipped: this.#skipped.top(LISTED, byCount),
      ...this.#sums,
      calls_without_turn: this.#withoutTurn,
      inspected_by: this.#inspectors.top(LISTED, byCount),
    };
  }

  #addSkipped(what: string, why: string): void {
    const group = this.#skipped.at([what, why], () => ({ what, why, count: 0 }));
    if (group !== undefined) group.count += 1;
  }

  #addInspected({ fields }: ReportEvent): void {
    const { inspectors } = fields;
    if (!Array.isArray(inspectors)) return;
    for (const inspector of inspectors.slice(0, MOST_INSPECTORS)) {
      if (typeof inspector !== 'string') continue;
      const group = this.#inspectors.at([inspector], () => ({ inspector, count: 0 }));
      if (group !== undefined) group.count += 1;
    }
    if (inspectors.includes('flow') && textOf(fields, 'turn_id') === '') this.#withoutTurn += 1;
  }

  #addSums({ fields }: ReportEvent): void {
    for (const name of SUMS) {
      const count = countOf(fields, name);
      if (count !== undefined) this.#sums[name] = (this.#sums[name] ?? 0) + count;
    }
  }

  #addRefused({ server, fields }: ReportEvent): void {
    this.#refusals += 1;
    const [from, reason] = [textOf(fields, 'from'), textOf(fields, 'reason')];
    const group = this.#refused.at([from, server, reason], () => ({ from, server_id: server, reason, count: 0 }));
    if (group !== undefined) group.count += 1;
  }
}

import { SEVERITIES } from '../../store/read-query.ts';
import { objectsOf, subjectOf, textOf } from '../log/event-fields.ts';
import { Groups, sumOf } from './groups.ts';
import type { ReportEvent } from './report-event.ts';
import { LISTED, type FlowGroup, type RelatedCall, type SessionReport } from './report.ts';

/** Calls that one event names; a store may have been edited. */
const MOST_RELATED = 10;

/** The mildest first. */
const ACTIONS: readonly string[] = ['alert', 'prompt', 'block'];

/** Groups what flow rules have found. */
export class FlowTally {
  readonly #groups = new Groups<{ count: number; last: ReportEvent }>();
  #total = 0;

  add(event: ReportEvent): void {
    this.#total += 1;
    const { fields, server, tool, action, severity } = event;
    const others = [
      ...new Set(
        objectsOf(fields, 'related_calls')
          .slice(0, MOST_RELATED)
          .map((call) => textOf(call, 'server_id')),
      ),
    ];
    const names = [textOf(fields, 'rule'), severity, action, server, tool ?? subjectOf(fields), others.toSorted()];
    const group = this.#groups.at(names, () => ({ count: 0, last: event }));
    if (group === undefined) return;
    group.count += 1;
    group.last = event;
  }

  report(): Pick<SessionReport, 'flows' | 'flows_left_off' | 'flows_total'> {
    const flows = this.#groups.top(LISTED, (one, other) => compare(one.last, other.last)).map(toGroup);
    return { flows, flows_left_off: this.#total - sumOf(flows), flows_total: this.#total };
  }
}

/** What was done most about comes first, of that the most severe, and of that the newest. */
function compare(one: ReportEvent, other: ReportEvent): number {
  const severityOf = (event: ReportEvent): number => SEVERITIES.findIndex((known) => known === event.severity);
  return (
    ACTIONS.indexOf(other.action ?? '') - ACTIONS.indexOf(one.action ?? '') ||
    severityOf(other) - severityOf(one) ||
    other.time - one.time
  );
}

function toGroup({ count, last }: { readonly count: number; readonly last: ReportEvent }): FlowGroup {
  const { fields } = last;
  const orNull = (name: string): string | null => (textOf(fields, name) === '' ? null : textOf(fields, name));
  return {
    rule: textOf(fields, 'rule'),
    severity: last.severity ?? '',
    action: last.action ?? '',
    server_id: last.server,
    tool_name: last.tool ?? subjectOf(fields),
    count,
    timestamp: last.timestamp,
    session_id: last.session,
    call_id: textOf(fields, 'call_id'),
    reason: textOf(fields, 'reason'),
    evidence: orNull('evidence'),
    evidence_encoding: orNull('evidence_encoding'),
    evidence_source: orNull('evidence_source'),
    related_calls: objectsOf(fields, 'related_calls')
      .slice(-MOST_RELATED)
      .map((call): RelatedCall => ({
        timestamp: textOf(call, 'timestamp') === '' ? null : textOf(call, 'timestamp'),
        server_id: textOf(call, 'server_id'),
        tool_name: textOf(call, 'tool_name'),
        call_id: textOf(call, 'call_id'),
        category: textOf(call, 'category'),
      })),
  };
}

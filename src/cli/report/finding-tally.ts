import { DETECTION_TYPE } from '../../audit/event-types.ts';
import { SEVERITIES, type Severity } from '../../store/reading/read-query.ts';
import { objectOf, textOf, objectsOf, subjectOf } from '../log/event-fields.ts';
import { byCount, Groups, sumOf, type ReportEvent } from './groups.ts';
import { LISTED, type DetectionGroup, type SessionReport, type ChangeGroup, type FlowGroup, type RelatedCall } from './report.ts';

type Found = Pick<
  SessionReport,
  'findings_by_severity' | 'detections_by_severity' | 'top_detections' | 'detections_left_off' | 'detections_suppressed'
>;

/** Counts findings by how bad they are, and groups what detection has found. */
export class FindingTally {
  readonly #findings = bySeverity();
  readonly #detections = bySeverity();
  readonly #groups = new Groups<DetectionGroup & { count: number }>();
  #total = 0;
  #suppressed = 0;

  /** Any event: whatever has a severity is a finding. */
  add(event: ReportEvent): void {
    const { type, server, fields } = event;
    if (type === DETECTION_TYPE && textOf(fields, 'suppressed') !== '') {
      this.#suppressed += 1;
      return;
    }
    const detection = objectOf(fields, 'detection');
    const said = event.severity ?? textOf(detection, 'severity');
    const severity = SEVERITIES.find((known) => known === said);
    if (severity !== undefined) this.#findings[severity] += 1;
    if (type !== DETECTION_TYPE) return;
    this.#total += 1;
    if (severity !== undefined) this.#detections[severity] += 1;
    const tool = event.tool ?? '';
    const pattern =
      [textOf(detection, 'pattern'), textOf(fields, 'pattern'), textOf(fields, 'rule')].find((name) => name !== '') ?? '';
    const group = this.#groups.at([server, tool, pattern, said], () => ({
      server_id: server,
      tool_name: tool,
      pattern,
      severity: said,
      count: 0,
    }));
    if (group !== undefined) group.count += 1;
  }

  report(): Found {
    const worst = ({ severity }: DetectionGroup): number => SEVERITIES.findIndex((known) => known === severity);
    const top = this.#groups.top(LISTED, (one, other) => worst(other) - worst(one) || byCount(one, other));
    return {
      findings_by_severity: { ...this.#findings },
      detections_by_severity: { ...this.#detections },
      top_detections: top,
      detections_suppressed: this.#suppressed,
      detections_left_off: this.#total - sumOf(top),
    };
  }
}

function bySeverity(): Record<Severity, number> {
  return { low: 0, medium: 0, high: 0, critical: 0 };
}

/** Names of fields that have changed, of one definition. */
const MOST_FIELDS = 20;

/** Groups what is told again and again of definitions that are not the trusted ones. */
export class ChangeTally {
  readonly #groups = new Groups<{ count: number; last: ReportEvent }>();
  #total = 0;

  add(event: ReportEvent): void {
    this.#total += 1;
    const group = this.#groups.at([event.type, event.server, kindOfChanged(event), nameOfChanged(event)], () => ({
      count: 0,
      last: event,
    }));
    if (group === undefined) return;
    group.count += 1;
    group.last = event;
  }

  report(): Pick<SessionReport, 'changes' | 'changes_left_off'> {
    const newest = this.#groups.top(LISTED, (one, other) => other.last.time - one.last.time);
    const changes = newest.map(({ count, last }) => toChange(last, count));
    return { changes, changes_left_off: this.#total - sumOf(changes) };
  }
}

function toChange(event: ReportEvent, count: number): ChangeGroup {
  const { fields } = event;
  const changed = objectsOf(fields, 'changes').map((change) => textOf(change, 'field'));
  return {
    type: event.type === 'mcp_server_changed' ? 'mcp_server_changed' : 'mcp_tool_changed',
    server_id: event.server,
    kind: kindOfChanged(event),
    name: nameOfChanged(event),
    count,
    timestamp: event.timestamp,
    action: event.action ?? '',
    previous_hash: textOf(fields, 'previous_hash'),
    new_hash: textOf(fields, 'new_hash'),
    fields: changed.slice(0, MOST_FIELDS),
  };
}

function kindOfChanged({ type, tool, fields }: ReportEvent): string {
  if (type === 'mcp_server_changed') return 'server';
  const kind = textOf(fields, 'kind');
  return kind === '' && tool !== null ? 'tool' : kind;
}

function nameOfChanged({ tool, fields }: ReportEvent): string {
  return tool ?? [textOf(fields, 'resource_uri'), textOf(fields, 'prompt_name')].find((name) => name !== '') ?? '';
}

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
    const flows = this.#groups.top(LISTED, (one, other) => compare(one.last, other.last)).map(toFlow);
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

function toFlow({ count, last }: { readonly count: number; readonly last: ReportEvent }): FlowGroup {
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

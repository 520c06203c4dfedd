import { DETECTION_TYPE } from '../../audit/event-types.ts';
import { SEVERITIES, type Severity } from '../../store/reading/read-query.ts';
import { objectOf, textOf, objectsOf, subjectOf } from '../log/event-fields.ts';
import { byCount, createCounts, Groups, type ReportEvent } from './groups.ts';
import type { ChangeGroup, DetectionGroup, FlowGroup, RelatedCall, SessionReport } from './report.ts';

type Found = Pick<
  SessionReport,
  'findings_by_severity' | 'detections_by_severity' | 'top_detections' | 'detections_left_off' | 'detections_suppressed'
>;

/** Counts findings by how bad they are, and groups what detection has found. */
export class FindingTally {
  readonly #findings = bySeverity();
  readonly #detections = bySeverity();
  readonly #groups = createCounts<Omit<DetectionGroup, 'count'>>();
  #suppressed = 0;

  /** Any event: whatever has a severity is a finding. */
  add(event: ReportEvent): void {
    const { type, server, fields } = event;
    if (type === DETECTION_TYPE && textOf(fields, 'suppressed') !== '') {
      this.#suppressed += 1;
      return;
    }
    const detection = objectOf(fields, 'detection');
    const written = event.severity ?? textOf(detection, 'severity');
    const severity = SEVERITIES.find((known) => known === written);
    if (severity !== undefined) this.#findings[severity] += 1;
    if (type !== DETECTION_TYPE) return;
    if (severity !== undefined) this.#detections[severity] += 1;
    const pattern =
      [textOf(detection, 'pattern'), textOf(fields, 'pattern'), textOf(fields, 'rule')].find((name) => name !== '') ?? '';
    this.#groups.add({ server_id: server, tool_name: event.tool ?? '', pattern, severity: written });
  }

  report(): Found {
    const top = this.#groups.top((one, other) => rank(other) - rank(one) || byCount(one, other));
    return {
      findings_by_severity: { ...this.#findings },
      detections_by_severity: { ...this.#detections },
      top_detections: top,
      detections_suppressed: this.#suppressed,
      detections_left_off: this.#groups.leftOff(top),
    };
  }
}

/** The rank of a severity; the mildest is 0. */
function rank({ severity }: { readonly severity: string | null }): number {
  return SEVERITIES.findIndex((known) => known === severity);
}

function bySeverity(): Record<Severity, number> {
  return { low: 0, medium: 0, high: 0, critical: 0 };
}

/** Names of fields that have changed, of one definition. */
const MOST_FIELDS = 20;

/** The latest event of a group. */
interface Last {
  last?: ReportEvent;
}

/** Groups what is told again and again of definitions that are not the trusted ones. */
export class ChangeTally {
  readonly #groups = new Groups<Pick<ChangeGroup, 'type' | 'server_id' | 'kind' | 'name'>, Last>(() => ({}));

  add(event: ReportEvent): void {
    const type = event.type === 'mcp_server_changed' ? 'mcp_server_changed' : 'mcp_tool_changed';
    const group = this.#groups.add({ type, server_id: event.server, kind: kindOfChanged(event), name: nameOfChanged(event) });
    if (group !== undefined) group.last = event;
  }

  report(): Pick<SessionReport, 'changes' | 'changes_left_off'> {
    const changes = this.#groups
      .top((one, other) => (other.last?.time ?? 0) - (one.last?.time ?? 0))
      .flatMap(({ last, ...group }): ChangeGroup[] => (last === undefined ? [] : [{ ...group, ...detailsOf(last) }]));
    return { changes, changes_left_off: this.#groups.leftOff(changes) };
  }
}

function detailsOf({
  timestamp,
  action,
  fields,
}: ReportEvent): Omit<ChangeGroup, 'type' | 'server_id' | 'kind' | 'name' | 'count'> {
  return {
    timestamp,
    action: action ?? '',
    previous_hash: textOf(fields, 'previous_hash'),
    new_hash: textOf(fields, 'new_hash'),
    fields: objectsOf(fields, 'changes')
      .slice(0, MOST_FIELDS)
      .map((change) => textOf(change, 'field')),
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

/** Groups what flow rules have found, by all that is the same for the calls in front of it. */
export class FlowTally {
  readonly #groups = new Groups<object, Last>(() => ({}));

  add(event: ReportEvent): void {
    const { fields, server, tool, action, severity } = event;
    const related = objectsOf(fields, 'related_calls').slice(0, MOST_RELATED);
    const others = new Set(related.map((call) => textOf(call, 'server_id')));
    const subject = tool ?? subjectOf(fields);
    const names = [textOf(fields, 'rule'), severity, action, server, subject, [...others].toSorted()];
    const group = this.#groups.add({ names });
    if (group !== undefined) group.last = event;
  }

  report(): Pick<SessionReport, 'flows' | 'flows_left_off' | 'flows_total'> {
    const flows = this.#groups
      .top((one, other) => (one.last && other.last ? compare(one.last, other.last) : 0))
      .flatMap(({ last, count }) => (last === undefined ? [] : [toFlow(last, count)]));
    return { flows, flows_left_off: this.#groups.leftOff(flows), flows_total: this.#groups.total };
  }
}

/** Sorts the strongest action first, then the most severe, then the newest. */
function compare(one: ReportEvent, other: ReportEvent): number {
  return (
    ACTIONS.indexOf(other.action ?? '') - ACTIONS.indexOf(one.action ?? '') || rank(other) - rank(one) || other.time - one.time
  );
}

function toFlow(last: ReportEvent, count: number): FlowGroup {
  const { fields } = last;
  const orNull = (name: string, of = fields): string | null => textOf(of, name) || null;
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
        timestamp: orNull('timestamp', call),
        server_id: textOf(call, 'server_id'),
        tool_name: textOf(call, 'tool_name'),
        call_id: textOf(call, 'call_id'),
        category: textOf(call, 'category'),
      })),
  };
}

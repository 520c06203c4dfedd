import { DETECTION_TYPE } from '../../audit/event-types.ts';
import { SEVERITIES, type Severity } from '../../store/reading/read-query.ts';
import { objectOf, textOf, objectsOf } from '../log/event-fields.ts';
import { byCount, createCounts, Groups } from './groups.ts';
import type { ReportEvent } from './report-event.ts';
import { type Chain, ChainReader } from './chains.ts';
import type { ChangeGroup, DetectionGroup, FlowGroup, SessionReport } from './report.ts';

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

/** Groups what is told again and again of definitions that are not the trusted ones. */
export class ChangeTally {
  readonly #groups = new Groups<Pick<ChangeGroup, 'type' | 'server_id' | 'kind' | 'name'>, { last?: ReportEvent }>(() => ({}));

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

/** The mildest first. */
const ACTIONS: readonly string[] = ['alert', 'prompt', 'block'];

/** Groups the chains of values by all but their times and calls. */
export class FlowTally {
  readonly #groups = new Groups<object, { last?: Chain }>(() => ({}));
  readonly #chains = new ChainReader((chain) => this.#addChain(chain));

  /** Any event, in the order of the store. */
  add(event: ReportEvent): void {
    this.#chains.add(event);
  }

  report(): Pick<SessionReport, 'flows' | 'flows_left_off' | 'flows_total'> {
    this.#chains.end();
    const flows = this.#groups
      .top((one, other) => (one.last && other.last ? compare(one.last, other.last) : 0))
      .flatMap(({ last, count }): FlowGroup[] => (last === undefined ? [] : [{ ...last, count }]));
    return { flows, flows_left_off: this.#groups.leftOff(flows), flows_total: this.#groups.total };
  }

  #addChain(chain: Chain): void {
    const { rule, other_rules: others, severity, action, outcome, denied_by: by } = chain;
    const { server_id: server, tool_name: tool, parameter, source, evidence, related_calls: related } = chain;
    // Without a value, any call of the same servers may be the source.
    const servers = [...new Set(related.map((call) => call.server_id))].toSorted();
    const from = source === null || evidence === null ? servers : [source.server_id, source.tool_name, evidence];
    const names = [rule, others, severity, action, outcome, by, server, tool, parameter, ...from];
    const group = this.#groups.add({ names });
    if (group !== undefined) group.last = chain;
  }
}

/** Sorts the strongest action first, then the most severe, then the newest. */
function compare(one: Chain, other: Chain): number {
  return (
    ACTIONS.indexOf(other.action) - ACTIONS.indexOf(one.action) ||
    rank(other) - rank(one) ||
    Date.parse(other.timestamp) - Date.parse(one.timestamp)
  );
}

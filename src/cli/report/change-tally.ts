import { objectsOf, textOf } from '../log/event-fields.ts';
import { Groups, sumOf } from './groups.ts';
import type { ReportEvent } from './report-event.ts';
import { LISTED, type ChangeGroup, type SessionReport } from './report.ts';

/** Names of fields that have changed, of one definition. */
const MOST_FIELDS = 20;

/** Groups what is told again and again of definitions that are not the trusted ones. */
export class ChangeTally {
  readonly #groups = new Groups<{ count: number; last: ReportEvent }>();
  #total = 0;

  add(event: ReportEvent): void {
    this.#total += 1;
    const group = this.#groups.at([event.type, event.server, kindOf(event), nameOf(event)], () => ({ count: 0, last: event }));
    if (group === undefined) return;
    group.count += 1;
    group.last = event;
  }

  report(): Pick<SessionReport, 'changes' | 'changes_left_off'> {
    const newest = this.#groups.top(LISTED, (one, other) => other.last.time - one.last.time);
    const changes = newest.map(({ count, last }) => toGroup(last, count));
    return { changes, changes_left_off: this.#total - sumOf(changes) };
  }
}

function toGroup(event: ReportEvent, count: number): ChangeGroup {
  const { fields } = event;
  const changed = objectsOf(fields, 'changes').map((change) => textOf(change, 'field'));
  return {
    type: event.type === 'mcp_server_changed' ? 'mcp_server_changed' : 'mcp_tool_changed',
    server_id: event.server,
    kind: kindOf(event),
    name: nameOf(event),
    count,
    timestamp: event.timestamp,
    action: event.action ?? '',
    previous_hash: textOf(fields, 'previous_hash'),
    new_hash: textOf(fields, 'new_hash'),
    fields: changed.slice(0, MOST_FIELDS),
  };
}

function kindOf({ type, tool, fields }: ReportEvent): string {
  if (type === 'mcp_server_changed') return 'server';
  const kind = textOf(fields, 'kind');
  return kind === '' && tool !== null ? 'tool' : kind;
}

function nameOf({ tool, fields }: ReportEvent): string {
  return tool ?? [textOf(fields, 'resource_uri'), textOf(fields, 'prompt_name')].find((name) => name !== '') ?? '';
}

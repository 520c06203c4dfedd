import { valueBeside } from '../log/event-view.ts';
import {
  countOfThings,
  formatCount,
  formatShortTime,
  indentedTable,
  listing,
  paragraph,
  section,
  type TextOptions,
} from '../terminal/layout.ts';
import { visible, joinTexts } from '../terminal/text.ts';
import type { ChangeGroup, DenialGroup, DetectionGroup, FlowGroup, SessionReport } from './report.ts';
import { paint } from '../terminal/colour.ts';

/** Sections that a person has to read first: flows, denials, changes and detections. */
export function findingSections(report: SessionReport, options: TextOptions): string[] {
  return [
    ...section('Flows', flowLines(report, options), options),
    ...section('Denials', denialLines(report, options), options),
    ...section('Changed definitions', changeLines(report, options), options),
    ...section('Detections', detectionLines(report, options), options),
  ];
}

function flowLines(
  { flows: groups, flows_left_off: leftOff, session_id: session }: SessionReport,
  options: TextOptions,
): string[] {
  const isOfMany = session === null;
  return listing(
    { groups, leftOff, what: 'findings' },
    (shown) => shown.flatMap((flow) => flowGroup(flow, isOfMany, options)),
    options,
  );
}

/** @param isOfMany the sessions are several, so that it is said which one */
function flowGroup(flow: FlowGroup, isOfMany: boolean, options: TextOptions): string[] {
  const { action, severity, rule, count, related_calls: related } = flow;
  const what = paint(action === 'block' ? 'red' : 'yellow', `${visible(action)} ${visible(severity)}`, options);
  const when = paint('dim', formatShortTime(Date.parse(flow.timestamp), options.now), options);
  const often = count === 1 ? '' : `, ${formatCount(count)} times, the last one`;
  const session = isOfMany ? `  ${visible(flow.session_id)}` : '';
  const head = `  ${what}  ${visible(rule)}${often}  ${when}${session}`;
  const blocked = `${flow.server_id}:${flow.tool_name}`;
  const chain = [...related.map((call) => `${call.server_id}:${call.tool_name}${clock(call.timestamp)}`), blocked].join(' → ');
  const value = valueBeside({ reason: flow.reason, evidence: flow.evidence ?? '', encoding: flow.evidence_encoding ?? '' });
  return [head, ...paragraph(chain, options, 2), ...paragraph(flow.reason, options, 2), ...paragraph(value, options, 2)];
}

/** The time of day of a call that was moments before. */
function clock(timestamp: string | null): string {
  const time = timestamp === null ? Number.NaN : Date.parse(timestamp);
  return Number.isNaN(time) ? '' : ` (${formatShortTime(time, time).slice(-8)})`;
}

function denialLines(report: SessionReport, options: TextOptions): string[] {
  const { denials: groups, denials_left_off: leftOff } = report;
  const columns = [
    { title: 'CALLS', cell: ({ count }: DenialGroup) => formatCount(count) },
    {
      title: 'ACTION',
      cell: ({ enforced }: DenialGroup) => (enforced ? 'block' : 'observed'),
      paint: (cell: string, { enforced }: DenialGroup) => paint(enforced ? 'red' : 'yellow', cell, options),
    },
    ...(report.model_calls.total === 0
      ? []
      : [{ title: 'BY', cell: ({ by_model: byModel }: DenialGroup) => (byModel ? 'model' : 'agent') }]),
    { title: 'REASON', least: 8, cell: ({ reason }: DenialGroup) => visible(reason) },
    { title: 'RULE', least: 6, cell: ({ rule }: DenialGroup) => visible(rule ?? '') },
    {
      title: 'E.G.',
      least: 12,
      cell: ({ examples }: DenialGroup) => visible(examples.map((call) => `${call.server_id}:${call.subject}`).join(', ')),
    },
  ];
  return listing({ groups, leftOff, what: 'calls' }, (shown) => indentedTable(columns, shown, options), options);
}

function changeLines({ changes: groups, changes_left_off: leftOff }: SessionReport, options: TextOptions): string[] {
  const columns = [
    {
      title: 'ACTION',
      cell: ({ action }: ChangeGroup) => visible(action),
      paint: (cell: string, { action }: ChangeGroup) => paint(action === 'block' ? 'red' : 'yellow', cell, options),
    },
    { title: 'SERVER', least: 8, cell: ({ server_id }: ChangeGroup) => visible(server_id) },
    { title: 'WHAT', least: 12, cell: (change: ChangeGroup) => visible(nameOf(change)) },
    { title: 'TIMES', cell: ({ count }: ChangeGroup) => formatCount(count) },
    { title: 'CHANGED', least: 8, cell: ({ fields }: ChangeGroup) => visible(fields.join(', ')) },
  ];
  return listing({ groups, leftOff, what: 'alerts' }, (shown) => indentedTable(columns, shown, options), options);
}

function nameOf({ kind, name }: ChangeGroup): string {
  if (kind === 'server') return '(how it is started)';
  if (kind === 'tool') return name;
  return joinTexts([kind.replace('_', ' '), name], ' ');
}

function detectionLines({ top_detections: groups, detections_left_off: leftOff }: SessionReport, options: TextOptions): string[] {
  const line = ({ severity, pattern, server_id, tool_name, count }: DetectionGroup): string =>
    `${severity}  ${pattern}  ${server_id}:${tool_name}, ${countOfThings(count, 'time')}`;
  return listing(
    { groups, leftOff, what: 'detections' },
    (shown) => shown.flatMap((group) => paragraph(line(group), options)),
    options,
  );
}

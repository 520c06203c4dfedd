import { countOfThings, formatCount, indentedTable, listing, paragraph, section, type TextOptions } from '../terminal/layout.ts';
import { joinTexts, padToWidth, visible } from '../terminal/text.ts';
import { inTime, OUTCOMES, sinkWords, sourceWords, whyWords } from './chain-words.ts';
import type { Outcome } from './chains.ts';
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

/** One session's chains in the order of time, those of several sessions too; the gravest ones if there are too many. */
function flowLines({ flows, flows_left_off: leftOff, session_id: session }: SessionReport, options: TextOptions): string[] {
  const toLines = (shown: readonly FlowGroup[]): readonly string[] =>
    inTime(shown).flatMap((flow) => flowGroup(flow, session === null, options));
  return listing({ groups: flows, leftOff, what: 'findings' }, toLines, options);
}

/** @param isOfMany the sessions are several, so that it is said which one */
function flowGroup(flow: FlowGroup, isOfMany: boolean, options: TextOptions): string[] {
  const outcome = padToWidth(OUTCOMES[flow.outcome], OUTCOME_WIDTH);
  const source = sourceWords(flow);
  const sink = sinkWords(flow, options.now);
  const session = isOfMany ? [`session ${flow.session_id}`] : [];
  const why = joinTexts([whyWords(flow), ...session], '; ');
  const look = { ...options, width: options.width - OUTCOME_WIDTH - 2 };
  const lines = [
    ...(source === '' ? [] : paragraph(source, look)),
    ...paragraph(source === '' ? sink : `→ ${sink}`, look),
    ...paragraph(why, look).map((line) => paint('dim', line, options)),
  ];
  return lines.map(
    (line, i) => `  ${i === 0 ? paint(COLOURS[flow.outcome], outcome, options) : ' '.repeat(OUTCOME_WIDTH)}${line}`,
  );
}

const OUTCOME_WIDTH = Math.max(...Object.values(OUTCOMES).map((word) => word.length));

/** Red: it was stopped. Yellow: a person should look at it. */
const COLOURS: Readonly<Record<Outcome, 'red' | 'yellow' | 'green'>> = {
  denied: 'red',
  refused: 'red',
  unanswered: 'red',
  asked: 'yellow',
  allowed: 'green',
  observed: 'yellow',
  passed: 'yellow',
};

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

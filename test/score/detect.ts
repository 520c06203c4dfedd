import { createPlainDetector } from '../../src/core/detect/create-plain-detector.ts';
import type { Detection, Detector, Inspection } from '../../src/core/detect/types.ts';
import { SEVERITIES } from '../../src/core/finding.ts';
import type { CorpusRow } from './corpus.ts';
import { type DetectRow, toDetectRows } from './detect-rows.ts';
import { measureSpeed, type Speed } from './detect-speed.ts';
import { leaveEachOut, type LeftOut } from './leave-out.ts';
import { SEED_PATTERNS } from './seed-patterns.ts';
import { formatShare, formatTable } from './table.ts';

/** What was found in a row. */
export interface Judged {
  readonly row: DetectRow;
  /** Something of severity `high` or above. */
  readonly isFound: boolean;
  readonly detections: readonly Detection[];
  readonly isFoundBySeed: boolean;
}

export interface DetectScore {
  readonly judged: readonly Judged[];
  readonly leftOut: readonly LeftOut[];
  readonly speed: Speed;
}

const DEFAULTS = { families: {} };

/** Looks at all rows of a corpus: first by the whole detector, then for each source by what no other source bears out left out. */
export function scoreDetect(rows: readonly CorpusRow[]): DetectScore {
  const all = toDetectRows(rows);
  const detector = createPlainDetector(DEFAULTS);
  const found = inspectRows(all, detector);
  const judged = all.map((row) => {
    const detections = reportOf(found.get(row));
    return { row, isFound: detections.some(isHigh), detections, isFoundBySeed: bySeed(row) };
  });
  const leftOut = leaveEachOut(
    all,
    (group, left) =>
      [...inspectRows(group, createPlainDetector(DEFAULTS, { left })).values()].filter((inspection) =>
        reportOf(inspection).some(isHigh),
      ).length,
  );
  return { judged, leftOut, speed: measureSpeed(all, detector) };
}

/** Rows of one server go together, with the names of its tools. */
export function inspectRows(rows: readonly DetectRow[], detector: Detector): ReadonlyMap<DetectRow, Inspection> {
  const found = new Map<DetectRow, Inspection>();
  const definitions = rows.filter(({ kind }) => kind === 'definition');
  for (const [server, group] of Map.groupBy(definitions, (row) => row.server)) {
    const tools = group.map(({ definition }) => definition.name);
    const inspections = detector.definitions(
      group.map(({ definition }) => definition),
      { server, tools, others: new Map() },
    );
    for (const [index, row] of group.entries()) {
      const inspection = inspections[index];
      if (inspection !== undefined) found.set(row, inspection);
    }
  }
  for (const row of rows) if (row.kind === 'text') found.set(row, detector.texts('result', row.texts));
  return found;
}

/** What honest servers say at each of their tools is told once. */
export function reportOf(inspection: Inspection | undefined): readonly Detection[] {
  return (inspection?.detections ?? []).filter(({ repeats }) => repeats !== true);
}

function isHigh({ severity }: Detection): boolean {
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf('high');
}

function bySeed({ kind, definition, texts }: DetectRow): boolean {
  const text = kind === 'text' ? texts.map((field) => field.text).join('\n') : JSON.stringify(definition.value);
  return SEED_PATTERNS.some((pattern) => pattern.test(text));
}

export function formatDetectScore({ judged, leftOut, speed }: DetectScore): string {
  return [
    'Definitions and texts of each source, by rules that another source bears out as well',
    formatLeftOut(leftOut),
    'All of it, at severity high',
    formatHeadline(judged),
    ...(['definition', 'text'] as const).flatMap((kind) => [
      `Malicious ${kind}s by technique`,
      formatGroups(judged, kind, ({ row }) => row.technique),
    ]),
    ...(['definition', 'text'] as const).flatMap((kind) => [
      `Malicious ${kind}s by source`,
      formatGroups(judged, kind, ({ row }) => row.group),
    ]),
    'By family: malicious rows in which it found something, and benign ones',
    formatFamilies(judged),
    'Speed',
    `${speed.definitions} definitions: median ${speed.median.toFixed(3)} ms, worst ${speed.worst.toFixed(2)} ms; 80 KB ${speed.large.toFixed(2)} ms, 10 MB ${speed.huge.toFixed(1)} ms`,
  ].join('\n\n');
}

function formatLeftOut(leftOut: readonly LeftOut[]): string {
  const sum = (key: 'rows' | 'found'): number => leftOut.reduce((total, each) => total + each[key], 0);
  const macro = leftOut.reduce((total, { rows, found }) => total + found / rows, 0);
  return formatTable([
    ['source', 'kind', 'rows', 'found', 'ways left out'],
    ...leftOut.map(({ group, kind, rows, found, left }) => [group, kind, String(rows), formatShare(found, rows), String(left)]),
    ['all', '', String(sum('rows')), formatShare(sum('found'), sum('rows'))],
    ['macro-average', '', '', formatShare(macro, leftOut.length)],
  ]);
}

function formatHeadline(judged: readonly Judged[]): string {
  const lines = (['definition', 'text'] as const).flatMap((kind) =>
    [true, false].map((isMalicious) => {
      const rows = judged.filter(({ row }) => row.kind === kind && row.isMalicious === isMalicious && row.isCore);
      const groups = [...Map.groupBy(rows, ({ row }) => (isMalicious ? row.group : row.server)).values()];
      const macro = groups.reduce((total, group) => total + count(group, 'isFound') / group.length, 0);
      const cells = [
        `${isMalicious ? 'malicious' : 'benign'} ${kind}s`,
        String(rows.length),
        formatShare(count(rows, 'isFound'), rows.length),
      ];
      return [...cells, formatShare(macro, groups.length), formatShare(count(rows, 'isFoundBySeed'), rows.length)];
    }),
  );
  const hard = judged.filter(({ row }) => row.isHard);
  const last = [
    'benign that look like attacks',
    String(hard.length),
    formatShare(count(hard, 'isFound'), hard.length),
    '',
    formatShare(count(hard, 'isFoundBySeed'), hard.length),
  ];
  return formatTable([['', 'rows', 'found', 'macro-average', "seed's patterns"], ...lines, last]);
}

function formatGroups(judged: readonly Judged[], kind: DetectRow['kind'], by: (each: Judged) => string): string {
  const rows = judged.filter(({ row }) => row.kind === kind && row.isMalicious && row.isCore);
  const lines = [...Map.groupBy(rows, by)].toSorted(([, one], [, other]) => other.length - one.length);
  return formatTable([
    ['', 'rows', 'found', "seed's patterns"],
    ...lines.map(([name, group]) => [
      name,
      String(group.length),
      formatShare(count(group, 'isFound'), group.length),
      formatShare(count(group, 'isFoundBySeed'), group.length),
    ]),
  ]);
}

function formatFamilies(judged: readonly Judged[]): string {
  const counts = new Map<string, [number, number]>();
  for (const { row, detections } of judged) {
    for (const family of new Set(
      detections.filter(({ severity }) => severity === 'high' || severity === 'critical').map((each) => each.family),
    )) {
      const pair = counts.get(family) ?? [0, 0];
      pair[row.isMalicious ? 0 : 1] += 1;
      counts.set(family, pair);
    }
  }
  return formatTable([
    ['', 'malicious', 'benign'],
    ...[...counts].map(([family, [malicious, benign]]) => [family, String(malicious), String(benign)]),
  ]);
}

function count(judged: readonly Judged[], key: 'isFound' | 'isFoundBySeed'): number {
  return judged.filter((each) => each[key]).length;
}

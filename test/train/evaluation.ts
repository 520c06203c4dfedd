import { createPlainDetector } from '../../src/core/detect/create-plain-detector.ts';
import type { Models } from '../../src/core/detect/model/models.ts';
import { SEVERITIES, type Severity } from '../../src/core/finding.ts';
import { inspectRows, reportOf } from '../score/detect.ts';
import { formatShare, formatTable } from '../score/table.ts';
import { OWN_SOURCE } from './own-rows.ts';
import type { TrainingRow } from './training-rows.ts';

/** A row with the severity that the whole detector gives it, with a model that has not seen its source. */
export interface Judged {
  readonly row: TrainingRow;
  readonly severity: Severity | undefined;
}

/** Looks at the rows of a fold with the whole detector. */
export function judgeRows(fold: readonly TrainingRow[], models: Models): readonly Judged[] {
  const found = inspectRows(
    fold.map(({ row }) => row),
    createPlainDetector({ families: {} }, { models }),
  );
  return fold.map((row) => ({ row, severity: reportOf(found.get(row.row))[0]?.severity }));
}

export function formatEvaluation(judged: readonly Judged[]): string {
  return (['definition', 'text'] as const)
    .flatMap((kind) => {
      // Rules were written beside this project's own samples.
      const rows = judged.filter(({ row }) => row.row.kind === kind && row.source !== OWN_SOURCE);
      const malicious = rows.filter(({ row: { row, isChat } }) => row.isMalicious && row.isCore && !isChat);
      const honest = rows.filter(({ row }) => row.from !== 'malicious');
      return [
        `Malicious ${kind}s found, by source`,
        formatTable([
          ['source', 'rows', 'high', '95 % interval', 'critical'],
          ...groups(malicious, ({ source }) => source),
          line('all', malicious),
        ]),
        `Honest ${kind}s flagged, by kind of source`,
        formatTable([
          ['kind', 'rows', 'high', '95 % interval', 'critical'],
          ...groups(honest, ({ from }) => from),
          line(
            'all but hard ones',
            honest.filter(({ row }) => row.from !== 'hard'),
          ),
        ]),
      ];
    })
    .join('\n\n');
}

function groups(judged: readonly Judged[], by: (row: TrainingRow) => string): readonly (readonly string[])[] {
  return [...Map.groupBy(judged, ({ row }) => by(row))]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([name, rows]) => line(name, rows));
}

function line(name: string, judged: readonly Judged[]): readonly string[] {
  const count = (least: Severity): number =>
    judged.filter(({ severity }) => severity !== undefined && SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(least)).length;
  const high = count('high');
  const [low, top] = wilson(high, judged.length);
  const interval = `${(100 * low).toFixed(1)} to ${(100 * top).toFixed(1)}`;
  return [name, String(judged.length), formatShare(high, judged.length), interval, formatShare(count('critical'), judged.length)];
}

/** Wilson's score interval of a share, at 95 %. */
export function wilson(part: number, whole: number): readonly [low: number, top: number] {
  if (whole === 0) return [0, 1];
  const z = 1.96;
  const share = part / whole;
  const middle = share + (z * z) / (2 * whole);
  const spread = z * Math.sqrt((share * (1 - share)) / whole + (z * z) / (4 * whole * whole));
  const scale = 1 + (z * z) / whole;
  return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)];
}

import type { TrainingRow } from './training-rows.ts';

/** Parts of about equal size; all rows of a source are in one, so that a model that leaves it out has not seen the source. */
export function foldsOf(rows: readonly TrainingRow[], count: number): readonly (readonly TrainingRow[])[] {
  const folds = Array.from({ length: count }, (): TrainingRow[] => []);
  const load = folds.map(() => 0);
  const sources = [...Map.groupBy(rows, ({ source }) => source).values()]
    .map((group) => ({ group, malicious: group.filter(({ row }) => row.isMalicious).length }))
    .sort((one, other) => other.malicious - one.malicious || other.group.length - one.group.length);
  for (const { group, malicious } of sources) {
    const least = load.indexOf(Math.min(...load));
    for (const row of group) folds[least]!.push(row);
    load[least]! += group.length + 2 * malicious;
  }
  return folds;
}

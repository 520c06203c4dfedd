import type { Survivor, TestReport } from '../test-report.ts';
import type { ReportContext } from './reporter.ts';

/** A mutant that no fixture notices, with its place as `file:line`. */
export interface PlacedSurvivor extends Survivor {
  readonly place: string;
}

/** How many percent of the mutants fixtures notice, down to a tenth; 100 where there are none. */
export function mutationPercent({ mutation }: TestReport): number {
  const { killed, all } = countMutants(mutation);
  return all === 0 ? 100 : Math.floor((killed / all) * 1000) / 10;
}

/** Are as many mutants noticed as is asked for? False where it was asked for and fixtures fail: then nothing is known of mutants. */
export function isMutationEnough({ mutation }: TestReport, { minMutation }: Pick<ReportContext, 'minMutation'>): boolean {
  if (minMutation === undefined) return true;
  const { killed, all } = countMutants(mutation);
  return mutation !== null && mutation !== undefined && killed * 100 >= minMutation * all;
}

/** `1,203 of 1,210 mutants noticed (99.4 %)`, and what is asked for where that is more. */
export function mutationLine(report: TestReport, context: Pick<ReportContext, 'minMutation'>): string {
  const { killed, all } = countMutants(report.mutation);
  const line = `${killed.toLocaleString('en')} of ${all.toLocaleString('en')} mutants noticed (${mutationPercent(report)} %)`;
  return isMutationEnough(report, context) ? line : `${line}, and ${context.minMutation} % have to be`;
}

/** What no fixture notices, in the order of the file. */
export function survivorsOf({ mutation }: TestReport, { policy }: Pick<ReportContext, 'policy'>): readonly PlacedSurvivor[] {
  return (mutation?.survivors ?? []).map((survivor) => ({ ...survivor, place: `${policy}:${survivor.line}` }));
}

/** One in a line: what was changed, and what is missing. */
export function survivorLine({ change, need }: Survivor): string {
  return `no fixture notices ${change}; missing is ${need}`;
}

function countMutants(mutation: TestReport['mutation']): { readonly killed: number; readonly all: number } {
  const { killed, survivors } = mutation ?? { killed: 0, survivors: [] };
  return { killed, all: killed + survivors.length };
}

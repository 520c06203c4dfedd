import type { TestReport } from '../test-report.ts';
import type { ReportContext } from './reporter.ts';

/** A rule that no fixture hits. */
export interface MissedRule {
  readonly name: string;
  /** From 1; undefined where it is not known. */
  readonly line: number | undefined;
  /** `file:line`. */
  readonly place: string;
}

/** How many percent of the rules made a decision, down to a tenth; 100 where there are none. */
export function coveragePercent({ coverage: { rules, hit } }: TestReport): number {
  return rules === 0 ? 100 : Math.floor((hit / rules) * 1000) / 10;
}

/** Are as many rules hit as is asked for? */
export function isCovered(report: TestReport, { minCoverage = 0 }: Pick<ReportContext, 'minCoverage'>): boolean {
  const { rules, hit } = report.coverage;
  return hit * 100 >= minCoverage * rules;
}

/** The rules that no fixture hits, in file order. */
export function missedRules({ coverage }: TestReport, { policy, rules, ruleLines }: ReportContext): readonly MissedRule[] {
  const missed = new Set(coverage.missedIndexes);
  return rules.flatMap((name, index) => {
    const line = ruleLines[index];
    return missed.has(index) ? [{ name, line, place: line === undefined ? policy : `${policy}:${line}` }] : [];
  });
}

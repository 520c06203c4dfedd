import type { TestReport } from '../test-report.ts';
import { coveragePercent, isCovered, missedRules } from './coverage.ts';
import { describeMismatch, lineOfMismatch, mismatchLine, nameOf } from './describe-result.ts';
import type { ReportContext } from './reporter.ts';
import { formatSarifLog, sarifLocation } from './sarif-log.ts';

const MISMATCH = 'policy-test/mismatch';
const NOT_HIT = 'policy-test/rule-not-hit';

const RULES = [
  { id: MISMATCH, shortDescription: { text: 'The policy does not decide as a fixture expects' } },
  { id: NOT_HIT, shortDescription: { text: 'No fixture is decided by a rule' } },
] as const;

/** SARIF 2.1.0 (OASIS): a result per mismatch at the rule that decided, and, where coverage is asked for, per rule that no fixture hits. */
export function formatSarifReport(report: TestReport, context: ReportContext): string {
  const mismatches = report.results
    .filter(({ ok }) => !ok)
    .map((result) => ({
      ruleId: MISMATCH,
      level: 'error',
      message: { text: `${nameOf(result)}: ${mismatchLine(describeMismatch(result, context))}` },
      locations: [sarifLocation(context.policy, lineOfMismatch(result, context))],
      relatedLocations: [{ ...sarifLocation(result.fixture.file, undefined), message: { text: 'the fixture' } }],
    }));
  return formatSarifLog(RULES, [...mismatches, ...notHit(report, context)]);
}

function notHit(report: TestReport, context: ReportContext): readonly object[] {
  if (context.minCoverage === undefined) return [];
  const level = isCovered(report, context) ? 'warning' : 'error';
  return missedRules(report, context).map(({ name, line }) => ({
    ruleId: NOT_HIT,
    level,
    message: {
      text: `no fixture hits ${name}: ${coveragePercent(report)} % of the rules are hit, and ${context.minCoverage} % have to be`,
    },
    locations: [sarifLocation(context.policy, line)],
  }));
}

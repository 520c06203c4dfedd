import { countResults, decidingRule, type TestReport } from '../test-report.ts';

/** One object: `{ total, passed, failed, coverage, results: [{ fixture, name, step, expected, actual, rule, reason, ok }] }`. */
export function formatJsonReport(report: TestReport): string {
  const { total, passed, failed } = countResults(report);
  const results = report.results.map(({ fixture, decision, expected, ok }) => ({
    fixture: fixture.file,
    name: fixture.name,
    step: null,
    expected: expected ?? null,
    actual: decision.action,
    rule: decidingRule(decision) ?? null,
    reason: decision.reason,
    ok,
  }));
  return `${JSON.stringify({ total, passed, failed, coverage: report.coverage, results }, null, 2)}\n`;
}

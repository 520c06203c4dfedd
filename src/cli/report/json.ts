import { countResults, decidingRule, flowOf, type TestReport } from '../test-report.ts';

/**
 * One object: `{ total, passed, failed, coverage, results: [{ fixture, name, step, expected, actual, rule, reason, flow, ok }] }`. `step`
 * is null for a fixture without steps, `flow` names what flow rules found.
 */
export function formatJsonReport(report: TestReport): string {
  const { total, passed, failed } = countResults(report);
  const results = report.results.map(({ fixture, decision, expected, ok }) => ({
    fixture: fixture.file,
    name: fixture.name,
    step: fixture.step?.number ?? null,
    expected: expected ?? null,
    actual: decision.action,
    rule: decidingRule(decision) ?? null,
    reason: decision.reason,
    flow: flowOf(decision),
    ok,
  }));
  return `${JSON.stringify({ total, passed, failed, coverage: report.coverage, results }, null, 2)}\n`;
}

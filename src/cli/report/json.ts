import { countResults, decidingRule, flowOf, type TestReport } from '../test-report.ts';

/**
 * One object: `{ total, passed, failed, coverage, results: [{ fixture, name, step, expected, actual, rule, reason, flow, findings, result,
 * ok }] }`. `step` is null for a fixture without steps, `flow` names what flow rules found, `findings` is what detection did, and `result` what became of
 * the result, null where there is none.
 */
export function formatJsonReport(report: TestReport): string {
  const { total, passed, failed } = countResults(report);
  const results = report.results.map(({ fixture, decision, result, expected, ok }) => ({
    fixture: fixture.file,
    name: fixture.name,
    step: fixture.step?.number ?? null,
    expected: expected ?? null,
    actual: decision.action,
    rule: decidingRule(decision) ?? null,
    reason: decision.reason,
    flow: flowOf(decision),
    findings: decision.findings.map(({ rule, severity }) => ({ rule, severity })),
    result: result ?? null,
    ok,
  }));
  return `${JSON.stringify({ total, passed, failed, coverage: report.coverage, results }, null, 2)}\n`;
}

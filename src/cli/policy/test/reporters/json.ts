import {
  coveragePercent,
  isCovered,
  unknownRule,
  isMutationEnough,
  mutationPercent,
  type ReportContext,
} from './describe-result.ts';
import { countResults, decidingRule, flowOf, type TestReport } from '../test-report.ts';

/**
 * One object: `{ total, passed, failed, coverage, results: [{ fixture, name, step, expected, actual, rule, reason, flow, findings, result,
 * request, ok, hint }] }`. `hint` says that the expected rule is not in the policy, and which may be meant. `step` is null for a fixture without steps, `flow` names what flow rules found, `findings` is what detection did, and `result` what became of
 * the result, null where there is none, and `request` the same of what a server asks for. `coverage` has `min` and `ok` where coverage is asked for.
 * `mutation`, where mutants are asked for, is `{ mutants, killed, survived, equivalent, percent, min, ok, survivors: [{ id, kind, line, column, change,
 * need }] }`, or null where fixtures failed.
 * `errors` is `[{ file, line, column, message, hint }]`: what is wrong with the policy or the fixtures. Then nothing was decided, and `coverage` is null.
 */
export function formatJsonReport(report: TestReport, context: ReportContext): string {
  const { total, passed, failed } = countResults(report);
  const results = report.results.map(({ fixture, decision, result, request, expected, ok }) => ({
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
    request: request ?? null,
    ok,
    hint: unknownRule(fixture.expectedRule, context.rules)[0] ?? null,
  }));
  const { missedIndexes: _, ...counted } = report.coverage;
  const percent = coveragePercent(report);
  const { minCoverage } = context;
  const asked = minCoverage === undefined ? {} : { min: minCoverage, ok: isCovered(report, context) };
  const coverage = report.errors.length > 0 ? null : { ...counted, percent, ...asked };
  const errors = report.errors.map(({ place: { file, line = null, column = null }, message, hint = null }) => ({
    file,
    line,
    column,
    message,
    hint,
  }));
  return `${JSON.stringify({ total, passed, failed, errors, coverage, ...mutationOf(report, context), results }, null, 2)}\n`;
}

function mutationOf(report: TestReport, context: ReportContext): object {
  const { mutation } = report;
  if (mutation === undefined || mutation === null) return mutation === null ? { mutation } : {};
  const { killed, equivalent, survivors } = mutation;
  const survived = survivors.length;
  const counted = { mutants: killed + survived, killed, survived, equivalent, percent: mutationPercent(report) };
  const { minMutation } = context;
  const asked = minMutation === undefined ? {} : { min: minMutation, ok: isMutationEnough(report, context) };
  return { mutation: { ...counted, ...asked, survivors } };
}

import { formatJunitReport, formatTapReport } from './test-points.ts';
import { formatGithubReport, formatSarifReport } from './annotate-report.ts';
import { type ReportContext, type Reporter, unknownRule } from './describe-result.ts';
import { formatTextReport } from './text.ts';
import { prettyJson } from '../../../terminal/text.ts';
import { countResults, decidingRule, flowOf, type TestReport } from '../test-report.ts';
import { coverageGate, type Gate, mutationGate } from './gates.ts';

/**
 * One object: `{ total, passed, failed, coverage, results: [{ fixture, name, step, expected, actual, rule, reason, flow, findings, result,
 * request, ok, hint }] }`. `hint` says that the expected rule is not in the policy, and which may be meant. `step` is null for a fixture without steps, `flow` names what flow rules found, `findings` is what detection did, and `result` what became of
 * the result, null where there is none, and `request` the same of what a server asks for. `coverage` has `min` and `ok` where coverage is asked for.
 * `mutation`, where mutants are asked for, is `{ mutants, killed, survived, equivalent, percent, min, ok, survivors: [{ id, kind, line, column, change,
 * need }] }`, or null where fixtures failed.
 * `errors` is `[{ file, line, column, message, hint }]`: what is wrong with the policy or the fixtures. Then nothing was decided, and `coverage` is null.
 */
function formatJsonReport(report: TestReport, context: ReportContext): string {
  const { total, passed, failed } = countResults(report);
  const results = report.results.map(({ fixture, decision, actual, result, request, expected, ok }) => ({
    fixture: fixture.file,
    name: fixture.name,
    step: fixture.step?.number ?? null,
    expected: expected ?? null,
    actual,
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
  const coverage = report.errors.length > 0 ? null : { ...counted, ...toFields(coverageGate(report, context)) };
  const errors = report.errors.map(({ place: { file, line = null, column = null }, message, hint = null }) => ({
    file,
    line,
    column,
    message,
    hint,
  }));
  return prettyJson({ total, passed, failed, errors, coverage, ...mutationOf(report, context), results });
}

function mutationOf(report: TestReport, context: ReportContext): object {
  const { mutation } = report;
  const gate = mutationGate(report, context);
  if (mutation === undefined || mutation === null || gate === undefined) return { mutation };
  const { killed, equivalent, survivors } = mutation;
  const survived = survivors.length;
  return { mutation: { mutants: killed + survived, killed, survived, equivalent, ...toFields(gate), survivors } };
}

function toFields({ percent, min, isMet }: Gate): object {
  return { percent, ...(min !== undefined && { min, ok: isMet }) };
}

/** Every reporter by its name on the command line. A new format is one file in this folder and one line here. */
export const REPORTERS = {
  text: formatTextReport,
  json: formatJsonReport,
  junit: formatJunitReport,
  tap: formatTapReport,
  github: formatGithubReport,
  sarif: formatSarifReport,
} as const satisfies Record<string, Reporter>;

type ReporterName = keyof typeof REPORTERS;

/** Their names, as `--reporter` takes them. */
export const REPORTER_NAMES = Object.keys(REPORTERS) as readonly ReporterName[];

import type { Fault } from '../../../../errors.ts';
import { countOf } from '../../../terminal/amounts.ts';
import { printable } from '../../../terminal/printable.ts';
import { countResults, type TestReport } from '../test-report.ts';
import {
  coveragePercent,
  isCovered,
  missedRules,
  describeMismatch,
  lineOfMismatch,
  mismatchLine,
  nameOf,
  isMutationEnough,
  mutationLine,
  survivorLine,
  survivorsOf,
  type ReportContext,
} from './describe-result.ts';

/**
 * Workflow commands of GitHub Actions, which it shows beside the policy's lines: an error per mismatch, and, where coverage is asked for, what
 * no fixture hits, and every mutant that no fixture notices; below them one line that sums up.
 */
export function formatGithubReport(report: TestReport, context: ReportContext): string {
  if (report.errors.length > 0) {
    const faults = formatFaults('not tested', report.errors);
    return toLines(faults, `nothing was tested: ${countOf(report.errors.length, 'error')}`, context);
  }
  const mismatches = report.results
    .filter(({ ok }) => !ok)
    .map((result) =>
      formatCommand('error', {
        file: context.policy,
        line: lineOfMismatch(result, context),
        title: nameOf(result),
        message: `${mismatchLine(describeMismatch(result, context))} (${result.fixture.file})`,
      }),
    );
  const { passed, failed, unchecked } = countResults(report);
  const { hit, rules } = report.coverage;
  const summary = `${passed} passed, ${failed} failed, ${unchecked} not checked; ${hit} of ${rules} rules hit`;
  const told =
    report.mutation === undefined || report.mutation === null ? summary : `${summary}; ${mutationLine(report, context)}`;
  return toLines([...mismatches, ...coverage(report, context), ...mutation(report, context)], told, context);
}

/** What sums up is for whoever reads the log of the run. */
function toLines(commands: readonly string[], summary: string, { isQuiet = false }: ReportContext): string {
  return [...commands, ...(isQuiet ? [] : [summary])].map((line) => `${line}\n`).join('');
}

function coverage(report: TestReport, context: ReportContext): readonly string[] {
  if (context.minCoverage === undefined || (context.isQuiet === true && isCovered(report, context))) return [];
  const level = isCovered(report, context) ? 'warning' : 'error';
  const message = `no fixture hits this rule: ${coveragePercent(report)} % of the rules are hit, and ${context.minCoverage} % have to be`;
  return missedRules(report, context).map(({ name, line }) =>
    formatCommand(level, { file: context.policy, line, title: name, message }),
  );
}

function mutation(report: TestReport, context: ReportContext): readonly string[] {
  if (context.isQuiet === true && isMutationEnough(report, context)) return [];
  const level = isMutationEnough(report, context) ? 'warning' : 'error';
  return survivorsOf(report, context).map((survivor) =>
    formatCommand(level, { file: context.policy, line: survivor.line, title: survivor.change, message: survivorLine(survivor) }),
  );
}

interface Annotation {
  readonly file: string;
  readonly line: number | undefined;
  readonly column?: number;
  readonly title: string;
  readonly message: string;
}

/** One workflow command of GitHub Actions, which it shows beside the line. */
export function formatCommand(level: 'error' | 'warning' | 'notice', { file, line, column, title, message }: Annotation): string {
  const properties = [
    `file=${escapeProperty(file)}`,
    ...(line === undefined ? [] : [`line=${line}`]),
    ...(column === undefined ? [] : [`col=${column}`]),
    `title=${escapeProperty(title)}`,
  ];
  return `::${level} ${properties.join(',')}::${escapeData(message)}`;
}

/** A command for each thing that is wrong with a policy or a fixture, so that it stands there at its line. */
export function formatFaults(title: string, faults: readonly Fault[]): readonly string[] {
  return faults.map(({ message, hint, place: { file, line, column } }) =>
    formatCommand('error', {
      file,
      line,
      ...(column === undefined ? {} : { column }),
      title,
      message: hint === undefined ? printable(message) : `${printable(message)}\n${printable(hint)}`,
    }),
  );
}

/** As the toolkit of GitHub Actions does it. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

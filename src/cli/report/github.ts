import { countResults, type TestReport } from '../test-report.ts';
import { coveragePercent, isCovered, missedRules } from './coverage.ts';
import { describeMismatch, lineOfMismatch, mismatchLine, nameOf } from './describe-result.ts';
import { isMutationEnough, mutationLine, survivorLine, survivorsOf } from './mutation.ts';
import type { ReportContext } from './reporter.ts';

/**
 * Workflow commands of GitHub Actions, which it shows beside the policy's lines: an error per mismatch, and, where coverage is asked for, what
 * no fixture hits, and every mutant that no fixture notices; below them one line that sums up.
 */
export function formatGithubReport(report: TestReport, context: ReportContext): string {
  const mismatches = report.results
    .filter(({ ok }) => !ok)
    .map((result) =>
      command('error', {
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
  return `${[...mismatches, ...coverage(report, context), ...mutation(report, context), told].join('\n')}\n`;
}

function coverage(report: TestReport, context: ReportContext): readonly string[] {
  if (context.minCoverage === undefined) return [];
  const level = isCovered(report, context) ? 'warning' : 'error';
  const message = `no fixture hits this rule: ${coveragePercent(report)} % of the rules are hit, and ${context.minCoverage} % have to be`;
  return missedRules(report, context).map(({ name, line }) =>
    command(level, { file: context.policy, line, title: name, message }),
  );
}

function mutation(report: TestReport, context: ReportContext): readonly string[] {
  const level = isMutationEnough(report, context) ? 'warning' : 'error';
  return survivorsOf(report, context).map((survivor) =>
    command(level, { file: context.policy, line: survivor.line, title: survivor.change, message: survivorLine(survivor) }),
  );
}

interface Annotation {
  readonly file: string;
  readonly line: number | undefined;
  readonly title: string;
  readonly message: string;
}

function command(level: 'error' | 'warning', { file, line, title, message }: Annotation): string {
  const properties = [
    `file=${escapeProperty(file)}`,
    ...(line === undefined ? [] : [`line=${line}`]),
    `title=${escapeProperty(title)}`,
  ];
  return `::${level} ${properties.join(',')}::${escapeData(message)}`;
}

/** As the toolkit of GitHub Actions does it. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

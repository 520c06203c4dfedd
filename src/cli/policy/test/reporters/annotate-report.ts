import { joinTexts } from '../../../terminal/text.ts';
import { countOf } from '../../../terminal/layout.ts';
import { annotateFaults, type Annotation, formatGithubCommands, formatSarifLog } from '../../annotations.ts';
import { countResults, type TestReport, type TestResult } from '../test-report.ts';
import { describeMismatch, mismatchLine, nameOf, type ReportContext } from './describe-result.ts';
import { gatesOf, isFailing, mutationGate } from './gates.ts';

const MISMATCH = { id: 'policy-test/mismatch', summary: 'The policy does not decide as a fixture expects' } as const;
const NOT_HIT = { id: 'policy-test/rule-not-hit', summary: 'No fixture is decided by a rule' } as const;
const NOT_NOTICED = {
  id: 'policy-test/mutant-not-noticed',
  summary: 'The policy could be another one, and no fixture would notice',
} as const;
const NOT_TESTED = {
  id: 'policy-test/not-tested',
  summary: 'The policy or a fixture cannot be read, so nothing was tested',
} as const;
const GAPS = { coverage: NOT_HIT, mutation: NOT_NOTICED } as const;
const HELP =
  'Change the policy or the fixture. `clawai policy test` shows both, and `clawai policy explain` says which rule decides a call.';
const KINDS = [MISMATCH, NOT_HIT, NOT_NOTICED, NOT_TESTED] as const;

/** All that is to be said of places in the policy and the fixtures: faults, else mismatches and what no fixture reaches. */
function annotationsOf(report: TestReport, context: ReportContext): readonly Annotation[] {
  if (report.errors.length > 0) return annotateFaults(report.errors, { id: NOT_TESTED.id, title: 'not tested' });
  const { policy: file } = context;
  const mismatches = report.results
    .filter(({ ok }) => !ok)
    .map((result): Annotation => ({
      id: MISMATCH.id,
      level: 'error',
      place: { file, line: lineOfMismatch(result, context) },
      title: nameOf(result),
      isTitleSubject: true,
      message: mismatchLine(describeMismatch(result, context)),
      fixture: result.fixture.file,
    }));
  const unreached = gatesOf(report, context).flatMap(({ name, isMet, line: summary, gaps }) =>
    gaps.map(({ title, isTitleSubject, message: text, line }): Annotation => {
      const level = isMet ? 'warning' : 'error';
      const message = isMet || name === 'coverage' ? text : `${text}; ${summary}`;
      return { id: GAPS[name].id, level, place: { file, line }, title, isTitleSubject, message };
    }),
  );
  return [...mismatches, ...unreached];
}

/** SARIF 2.1.0: a result per annotation. */
export function formatSarifReport(report: TestReport, context: ReportContext): string {
  return formatSarifLog(
    KINDS.map((kind) => ({ ...kind, help: HELP })),
    annotationsOf(report, context),
  );
}

/** Workflow commands of GitHub Actions, which it shows beside the policy's lines, and one line that sums up for whoever reads the log of the run. */
export function formatGithubReport(report: TestReport, context: ReportContext): string {
  const annotations = annotationsOf(report, context);
  if (context.isQuiet === true) {
    const failing = new Set<string>(gatesOf(report, context).flatMap((gate) => (isFailing(gate) ? [GAPS[gate.name].id] : [])));
    return formatGithubCommands(annotations.filter(({ id, level }) => level === 'error' || failing.has(id)));
  }
  if (report.errors.length > 0)
    return formatGithubCommands(annotations, `nothing was tested: ${countOf(report.errors.length, 'error')}`);
  const { passed, failed, unchecked } = countResults(report);
  const { hit, rules } = report.coverage;
  const counted = `${passed} passed, ${failed} failed, ${unchecked} not checked; ${hit} of ${rules} rules hit`;
  return formatGithubCommands(annotations, joinTexts([counted, mutationGate(report, context)?.line], '; '));
}

/** The line of a mismatch in the policy, from 1: that of the rule that decided, else of the one that should have. Undefined where neither is one. */
function lineOfMismatch({ decision, fixture }: TestResult, { ruleLines, rules }: ReportContext): number | undefined {
  const { expectedRule } = fixture;
  const wanted = typeof expectedRule === 'number' ? expectedRule - 1 : rules.indexOf(expectedRule ?? '');
  return ruleLines[decision.rule?.index ?? wanted];
}

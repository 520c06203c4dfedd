import { type Fault, formatPlace } from '../../../../errors.ts';
import { printable } from '../../../terminal/printable.ts';
import { isChecked, type TestReport, type TestResult } from '../test-report.ts';
import {
  coveragePercent,
  isCovered,
  missedRules,
  describeMismatch,
  nameOf,
  isMutationEnough,
  mutationPercent,
  survivorLine,
  survivorsOf,
  type ReportContext,
} from './describe-result.ts';

/** The Test Anything Protocol, version 14. */
export function formatTapReport(report: TestReport, context: ReportContext): string {
  if (report.errors.length > 0) {
    const errors = report.errors.map((fault, index) => errorPoint(fault, index + 1));
    return `${['TAP version 14', `1..${errors.length}`, ...errors].join('\n')}\n`;
  }
  const points = report.results.map((result, index) => testPoint(result, index + 1, context));
  const covered = context.minCoverage === undefined ? points : [...points, coveragePoint(report, points.length + 1, context)];
  const isMutated = report.mutation !== undefined;
  const all = isMutated ? [...covered, mutationPoint(report, covered.length + 1, context)] : covered;
  return `${['TAP version 14', `1..${all.length}`, ...all].join('\n')}\n`;
}

function testPoint(result: TestResult, number: number, context: ReportContext): string {
  const name = escapeName(nameOf(result));
  if (result.ok) return `ok ${number} - ${name}${isChecked(result) ? '' : ' # SKIP nothing is expected'}`;
  const { expected, actual, found } = describeMismatch(result, context);
  return [`not ok ${number} - ${name}`, ...diagnosis({ expected, actual, found, fixture: result.fixture.file })].join('\n');
}

function errorPoint({ place, message, hint }: Fault, number: number): string {
  const lines = diagnosis({ message, ...(hint === undefined ? {} : { hint }) });
  return [`not ok ${number} - ${escapeName(printable(formatPlace(place)))}`, ...lines].join('\n');
}

function coveragePoint(report: TestReport, number: number, context: ReportContext): string {
  if (isCovered(report, context)) return `ok ${number} - coverage`;
  const missed = missedRules(report, context).map(({ name, place }) => `${place} ${name}`);
  const lines = diagnosis({ expected: `${context.minCoverage} %`, actual: `${coveragePercent(report)} %`, missed });
  return [`not ok ${number} - coverage`, ...lines].join('\n');
}

function mutationPoint(report: TestReport, number: number, context: ReportContext): string {
  if (report.mutation === null) return `ok ${number} - mutation # SKIP fixtures fail`;
  const survived = survivorsOf(report, context).map((survivor) => `${survivor.place} ${survivorLine(survivor)}`);
  const isEnough = isMutationEnough(report, context);
  if (isEnough && survived.length === 0) return `ok ${number} - mutation`;
  const { minMutation } = context;
  const expected = minMutation === undefined ? '' : `${minMutation} %`;
  const lines = diagnosis({ expected, actual: `${mutationPercent(report)} %`, survived });
  return [`${isEnough ? 'ok' : 'not ok'} ${number} - mutation`, ...lines].join('\n');
}

/** A block of YAML; JSON is YAML, and so are its texts. */
function diagnosis(values: Readonly<Record<string, string | readonly string[]>>): string[] {
  const lines = Object.entries(values).flatMap(([name, value]) =>
    value.length === 0 ? [] : [`  ${name}: ${JSON.stringify(value)}`],
  );
  return ['  ---', ...lines, '  ...'];
}

/** A `#` would begin a directive. */
function escapeName(name: string): string {
  return name.replaceAll(/[\\#]/g, String.raw`\$&`);
}

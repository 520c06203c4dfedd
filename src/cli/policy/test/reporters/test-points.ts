import { formatPlace } from '../../../../errors.ts';
import { printable } from '../../../terminal/printable.ts';
import { isChecked, type TestReport, type TestResult } from '../test-report.ts';
import { deciderOf, describeMismatch, type Details, mismatchLine, nameOf, type ReportContext } from './describe-result.ts';
import { gatesOf } from './gates.ts';

/** One thing that was tested, or that could not be, for reporters that list all of them. */
export interface TestPoint {
  readonly name: string;
  readonly file: string;
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'error';
  /** Why it did not pass, in one line. */
  readonly message: string;
  readonly details: Details;
}

/** All that was tested: each fixture or step, then the gates; where nothing could be, each fault. */
export function pointsOf(report: TestReport, context: ReportContext): readonly TestPoint[] {
  if (report.errors.length > 0)
    return report.errors.map(({ place, message, hint = '' }) => ({
      name: printable(formatPlace(place)),
      file: place.file,
      outcome: 'error',
      message,
      details: { message, hint },
    }));
  const { policy: file } = context;
  const untried: TestPoint = { name: 'mutation', file, outcome: 'skipped', message: 'fixtures fail', details: {} };
  const gates = gatesOf(report, context).map(({ name, percent, min, isMet, line, gaps }): TestPoint => {
    const details = {
      expected: min === undefined ? '' : `${min} %`,
      actual: `${percent} %`,
      [name === 'coverage' ? 'missed' : 'survived']: gaps.map(
        (gap) => `${gap.place}  ${gap.isTitleSubject ? gap.title : gap.message}`,
      ),
    };
    return {
      name,
      file,
      outcome: isMet ? 'passed' : 'failed',
      message: line,
      details: isMet && gaps.length === 0 ? {} : details,
    };
  });
  return [
    ...report.results.map((result) => resultPoint(result, context)),
    ...gates,
    ...(report.mutation === null ? [untried] : []),
  ];
}

function resultPoint(result: TestResult, context: ReportContext): TestPoint {
  const point = { name: nameOf(result), file: result.fixture.file };
  if (!result.ok) {
    const mismatch = describeMismatch(result, context);
    return { ...point, outcome: 'failed', message: mismatchLine(mismatch), details: mismatch };
  }
  if (isChecked(result)) return { ...point, outcome: 'passed', message: '', details: {} };
  const message = printable(`nothing is expected: ${result.decision.action} by ${deciderOf(result)}`);
  return { ...point, outcome: 'skipped', message, details: {} };
}

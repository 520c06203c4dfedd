import { formatPlace } from '../../../../errors.ts';
import { printable } from '../../../terminal/text.ts';
import { isChecked, type TestReport, type TestResult } from '../test-report.ts';
import {
  deciderOf,
  describeOutcome,
  describeMismatch,
  detailLines,
  type Details,
  mismatchLine,
  nameOf,
  type ReportContext,
} from './describe-result.ts';
import { gatesOf } from './gates.ts';

/** One thing that was tested, or that could not be, for reporters that list all of them. */
interface TestPoint {
  readonly name: string;
  readonly file: string;
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'error';
  /** Why it did not pass, in one line. */
  readonly message: string;
  readonly details: Details;
}

/** All that was tested: each fixture or step, then the gates; where nothing could be, each fault. */
function pointsOf(report: TestReport, context: ReportContext): readonly TestPoint[] {
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
  const message = printable(`nothing is expected: ${describeOutcome(result, deciderOf(result))}`);
  return { ...point, outcome: 'skipped', message, details: {} };
}

/** The Test Anything Protocol, version 14. */
export function formatTapReport(report: TestReport, context: ReportContext): string {
  const points = pointsOf(report, context);
  return ['TAP version 14', `1..${points.length}`, ...points.flatMap(formatPoint)].map((line) => `${line}\n`).join('');
}

function formatPoint({ name, outcome, message, details }: TestPoint, index: number): readonly string[] {
  const isFine = outcome === 'passed' || outcome === 'skipped';
  // A `#` would begin a directive.
  const escaped = name.replaceAll(/[\\#]/g, String.raw`\$&`);
  const head = `${isFine ? 'ok' : 'not ok'} ${index + 1} - ${escaped}${outcome === 'skipped' ? ` # SKIP ${message}` : ''}`;
  // A block of YAML; JSON is YAML, and so are its texts.
  const lines = Object.entries(details).flatMap(([key, value]) =>
    value.length === 0 ? [] : [`  ${key}: ${JSON.stringify(value)}`],
  );
  return lines.length === 0 ? [head] : [head, '  ---', ...lines, '  ...'];
}

/** JUnit's XML, as Jenkins, GitLab and most others read it: a suite per file, a case per fixture or step, per gate, or per fault. */
export function formatJunitReport(report: TestReport, context: ReportContext): string {
  const points = pointsOf(report, context);
  const suites = [...Map.groupBy(points, ({ file }) => file)].map(
    ([file, cases]) =>
      `  <testsuite${attributes({ name: file, ...countsOf(cases) })}>\n${cases.map(formatCase).join('')}  </testsuite>\n`,
  );
  const counts = attributes({ name: 'clawai policy test', ...countsOf(points) });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${counts}>\n${suites.join('')}</testsuites>\n`;
}

function countsOf(points: readonly TestPoint[]): Readonly<Record<string, number>> {
  const count = (wanted: TestPoint['outcome']): number => points.filter(({ outcome }) => outcome === wanted).length;
  return { tests: points.length, failures: count('failed'), errors: count('error'), skipped: count('skipped') };
}

function formatCase({ name, file, outcome, message, details }: TestPoint): string {
  const head = `    <testcase${attributes({ name, classname: file, file })}`;
  const text = escapeXml(detailLines(details).join('\n'));
  const inner = {
    passed: text === '' ? '' : `<system-out>${text}</system-out>`,
    skipped: `<skipped${attributes({ message })}/>`,
    failed: `<failure${attributes({ message, type: name === 'coverage' || name === 'mutation' ? name : 'mismatch' })}>${text}</failure>`,
    error: `<error${attributes({ message, type: 'not tested' })}>${text}</error>`,
  }[outcome];
  return inner === '' ? `${head}/>\n` : `${head}>\n      ${inner}\n    </testcase>\n`;
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value)).replaceAll('\n', '&#10;')}"`)
    .join('');
}

/** Characters that XML 1.0 does not allow, even escaped (Extensible Markup Language §2.2), and half pairs. */
// oxlint-disable-next-line no-control-regex
const NO_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Cs}/gu;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeXml(text: string): string {
  return text.replaceAll(NO_XML, '\ufffd').replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

import type { TestReport } from '../test-report.ts';
import { detailLines, type ReportContext } from './describe-result.ts';
import { pointsOf, type TestPoint } from './test-points.ts';

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

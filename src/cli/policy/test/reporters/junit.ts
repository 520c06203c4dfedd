import { formatPlace } from '../../../../errors.ts';
import { isChecked, type TestReport, type TestResult } from '../test-report.ts';
import {
  coveragePercent,
  isCovered,
  missedRules,
  describeMismatch,
  deciderOf,
  mismatchLine,
  nameOf,
  isMutationEnough,
  mutationLine,
  survivorLine,
  survivorsOf,
  type ReportContext,
} from './describe-result.ts';

/** JUnit's XML, as Jenkins, GitLab and most others read it: a suite per fixture file, a case per fixture or step, or per error. */
export function formatJunitReport(report: TestReport, context: ReportContext): string {
  const suites = [...Map.groupBy(report.results, ({ fixture }) => fixture.file)].map(([file, results]) =>
    suite(
      file,
      results.map((result) => resultCase(result, context)),
    ),
  );
  const cases = [
    ...(context.minCoverage === undefined ? [] : [coverageCase(report, context)]),
    ...(report.mutation === undefined ? [] : [mutationCase(report, context)]),
  ];
  const all =
    report.errors.length > 0 ? errorSuites(report) : cases.length === 0 ? suites : [...suites, suite(context.policy, cases)];
  const counts = attributes({ name: 'clawai policy test', ...sum(all) });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${counts}>\n${all.map(({ xml }) => xml).join('')}</testsuites>\n`;
}

interface Counted {
  readonly xml: string;
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
}

function suite(name: string, cases: readonly Counted[]): Counted {
  const counts = sum(cases);
  const xml = cases.map((one) => one.xml).join('');
  return { ...counts, xml: `  <testsuite${attributes({ name, ...counts })}>\n${xml}  </testsuite>\n` };
}

function sum(all: readonly Counted[]): Omit<Counted, 'xml'> {
  const total = (of: keyof Omit<Counted, 'xml'>): number => all.reduce((before, one) => before + one[of], 0);
  return { tests: total('tests'), failures: total('failures'), errors: total('errors'), skipped: total('skipped') };
}

const PASSED = { tests: 1, failures: 0, errors: 0, skipped: 0 } as const;

/** What is wrong with the policy or a fixture is an error of a case of its own: nothing was tested. */
function errorSuites({ errors }: TestReport): readonly Counted[] {
  return [...Map.groupBy(errors, ({ place }) => place.file)].map(([file, faults]) =>
    suite(
      file,
      faults.map(({ place, message, hint }) => {
        const head = `    <testcase${attributes({ name: formatPlace(place), classname: file, file })}`;
        const text = hint === undefined ? message : `${message}\n${hint}`;
        const error = `      <error${attributes({ message, type: 'not tested' })}>${escapeXml(text)}</error>\n`;
        return { ...PASSED, errors: 1, xml: `${head}>\n${error}    </testcase>\n` };
      }),
    ),
  );
}

function resultCase(result: TestResult, context: ReportContext): Counted {
  const head = `    <testcase${attributes({ name: nameOf(result), classname: result.fixture.file, file: result.fixture.file })}`;
  if (!result.ok) {
    const mismatch = describeMismatch(result, context);
    const message = attributes({ message: mismatchLine(mismatch), type: 'mismatch' });
    const lines = [`expected  ${mismatch.expected}`, `actual    ${mismatch.actual}`, ...mismatch.found];
    const xml = `${head}>\n      <failure${message}>${escapeXml(lines.join('\n'))}</failure>\n    </testcase>\n`;
    return { xml, ...PASSED, failures: 1 };
  }
  if (isChecked(result)) return { xml: `${head}/>\n`, ...PASSED };
  const why = attributes({ message: `nothing is expected: ${result.decision.action} by ${deciderOf(result)}` });
  return { xml: `${head}>\n      <skipped${why}/>\n    </testcase>\n`, ...PASSED, skipped: 1 };
}

function coverageCase(report: TestReport, context: ReportContext): Counted {
  const head = `    <testcase${attributes({ name: 'coverage', classname: context.policy, file: context.policy })}`;
  if (isCovered(report, context)) return { xml: `${head}/>\n`, ...PASSED };
  const message = `${coveragePercent(report)} % of the rules are hit, and ${context.minCoverage} % have to be`;
  const lines = missedRules(report, context).map(({ name, place }) => `${place}  ${name}`);
  const failure = `      <failure${attributes({ message, type: 'coverage' })}>${escapeXml(lines.join('\n'))}</failure>\n`;
  return { xml: `${head}>\n${failure}    </testcase>\n`, ...PASSED, failures: 1 };
}

function mutationCase(report: TestReport, context: ReportContext): Counted {
  const head = `    <testcase${attributes({ name: 'mutation', classname: context.policy, file: context.policy })}`;
  if (report.mutation === null) {
    const xml = `${head}>\n      <skipped${attributes({ message: 'fixtures fail' })}/>\n    </testcase>\n`;
    return { xml, ...PASSED, skipped: 1 };
  }
  const lines = survivorsOf(report, context).map((survivor) => `${survivor.place}  ${survivorLine(survivor)}`);
  const text = escapeXml(lines.join('\n'));
  if (isMutationEnough(report, context)) {
    const out = lines.length === 0 ? '/>' : `>\n      <system-out>${text}</system-out>\n    </testcase>`;
    return { xml: `${head}${out}\n`, ...PASSED };
  }
  const failure = `      <failure${attributes({ message: mutationLine(report, context), type: 'mutation' })}>${text}</failure>\n`;
  return { xml: `${head}>\n${failure}    </testcase>\n`, ...PASSED, failures: 1 };
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value)).replaceAll('\n', '&#10;')}"`)
    .join('');
}

/** What XML 1.0 has no place for, even escaped (Extensible Markup Language §2.2), and half pairs. */
// oxlint-disable-next-line no-control-regex
const NO_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Cs}/gu;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeXml(text: string): string {
  return text.replaceAll(NO_XML, '\ufffd').replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

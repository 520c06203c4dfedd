import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { formatJunitReport } from '../../../../../src/cli/policy/test/reporters/test-points.ts';
import type { ReportContext } from '../../../../../src/cli/policy/test/reporters/describe-result.ts';
import type { TestReport } from '../../../../../src/cli/policy/test/test-report.ts';
import { CONTEXT, decision, fixture, mutationOf, report, resultOf } from '../../../../support/test-reports.ts';

/** As a reader of JUnit's files sees it. */
function read(of: TestReport, context: ReportContext = CONTEXT): unknown {
  const xml = formatJunitReport(of, context);
  expect(XMLValidator.validate(xml)).toBe(true);
  const lists = ['testsuite', 'testcase'];
  const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '', isArray: (name) => lists.includes(name) });
  return parser.parse(xml);
}

describe('formatJunitReport', () => {
  it('has a suite for each file and a case for each fixture, with what differs', () => {
    const results = report(
      resultOf(fixture('good', { file: 'one.json', expected: 'deny' }), decision('deny', 0)),
      resultOf(fixture('bad', { file: 'one.json', expected: 'allow' }), decision('prompt', 1)),
      resultOf(fixture('silent', { file: 'two.json' }), decision('allow')),
    );
    expect(read(results)).toMatchObject({
      testsuites: {
        name: 'clawai policy test',
        tests: '3',
        failures: '1',
        skipped: '1',
        testsuite: [
          {
            name: 'one.json',
            tests: '2',
            failures: '1',
            skipped: '0',
            testcase: [
              { name: 'good', classname: 'one.json' },
              {
                name: 'bad',
                failure: {
                  message: 'expected allow, actual prompt by rule 2 at p.toml:9',
                  type: 'mismatch',
                  '#text': 'expected  allow\nactual    prompt by rule 2 at p.toml:9\nfixture   one.json',
                },
              },
            ],
          },
          { name: 'two.json', testcase: [{ name: 'silent', skipped: { message: 'nothing is expected: allow by the default' } }] },
        ],
      },
    });
  });

  it('has coverage as a case of the policy where it is asked for', () => {
    const results = report(resultOf(fixture('f', { expected: 'deny' }), decision('deny', 0)));
    const below = {
      name: 'coverage',
      failure: {
        message: '50 % of the rules were hit, below the required 100 %',
        '#text': 'expected  100 %\nactual    50 %\np.toml:9  rule 2',
      },
    };
    expect(read(results, { ...CONTEXT, minCoverage: 100 })).toMatchObject({
      testsuites: { tests: '2', failures: '1', testsuite: [{}, { name: 'p.toml', testcase: [below] }] },
    });
    expect(read(results, { ...CONTEXT, minCoverage: 50 })).toMatchObject({ testsuites: { tests: '2', failures: '0' } });
  });

  it('is well-formed whatever a name has in it', () => {
    const name = 'a<b>&"c\u0001\ud800\n::error::x#1 \\\\, 100%';
    const results = report(resultOf(fixture(name, { file: name, expected: 'allow' }), decision('deny', 0)));
    expect(read(results)).toMatchObject({ testsuites: { testsuite: [{ tests: '1', failures: '1' }] } });
    expect(formatJunitReport(results, CONTEXT)).not.toMatch(/[^\t\n\x20-\ufffd]/);
  });

  it('has a case for mutants where they are asked for', () => {
    const last = (killed: number, survived: number, minMutation?: number): unknown =>
      read({ ...report(), mutation: mutationOf(killed, survived) }, { ...CONTEXT, minMutation });
    const suite = (testcase: object): object => ({ testsuites: { testsuite: [{ name: 'p.toml', testcase: [testcase] }] } });
    const text = expect.stringContaining('p.toml:3  no fixture notices "keys": tool without');
    expect(last(1, 1, 100)).toMatchObject(
      suite({
        name: 'mutation',
        failure: { message: '50 % of the mutants were noticed (1 of 2), below the required 100 %', '#text': text },
      }),
    );
    expect(last(1, 1)).toMatchObject(suite({ name: 'mutation', 'system-out': text }));
    expect(last(1, 0, 100)).toMatchObject(suite({ name: 'mutation' }));
    expect(read({ ...report(), mutation: null })).toMatchObject(
      suite({ name: 'mutation', skipped: { message: 'fixtures fail' } }),
    );
  });
});

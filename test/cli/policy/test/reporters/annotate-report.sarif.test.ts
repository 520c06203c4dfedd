import { describe, expect, it } from 'vitest';
import { formatSarifReport } from '../../../../../src/cli/policy/test/reporters/annotate-report.ts';
import type { ReportContext } from '../../../../../src/cli/policy/test/reporters/describe-result.ts';
import type { TestReport } from '../../../../../src/cli/policy/test/test-report.ts';
import { VERSION } from '../../../../../src/cli/machine/version.ts';
import { CONTEXT, decision, fixture, mutationOf, report, resultOf } from '../../../../support/test-reports.ts';

interface Log {
  readonly version: string;
  readonly runs: readonly [{ readonly tool: object; readonly results: readonly object[] }];
}

function read(of: TestReport, context: ReportContext = CONTEXT): Log {
  return JSON.parse(formatSarifReport(of, context)) as Log;
}

/** Where a result is. Relative places are those of the repository; without a line, it is the first. */
const at = (uri: string, startLine = 1) => ({
  physicalLocation: {
    artifactLocation: { uri, ...(!uri.includes(':') && { uriBaseId: '%SRCROOT%' }) },
    region: { startLine },
  },
});

describe('formatSarifReport', () => {
  it('has a result at the rule that decided, and the fixture beside it', () => {
    const { version, runs } = read(
      report(
        resultOf(fixture('good', { expected: 'deny' }), decision('deny', 0)),
        resultOf(fixture('bad', { expected: 'allow' }), decision('prompt', 1)),
        resultOf(fixture('default', { expected: 'deny' }), decision('allow')),
      ),
    );
    expect(version).toBe('2.1.0');
    expect(runs[0].tool).toMatchObject({ driver: { name: 'clawai', version: VERSION } });
    expect(runs[0].results).toEqual([
      {
        ruleId: 'policy-test/mismatch',
        ruleIndex: 0,
        level: 'error',
        message: { text: 'bad: expected allow, actual prompt by rule 2 at p.toml:9' },
        locations: [at('p.toml', 9)],
        relatedLocations: [{ ...at('bad.json'), message: { text: 'the fixture' } }],
      },
      expect.objectContaining({ locations: [at('p.toml')] }),
    ]);
  });

  it('has the rules that nothing hits where coverage is asked for', () => {
    const results = report(resultOf(fixture('f', { expected: 'deny' }), decision('deny', 0)));
    const found = (minCoverage: number | undefined): readonly object[] =>
      read(results, { ...CONTEXT, minCoverage }).runs[0].results;
    expect(found(100)).toMatchObject([{ ruleId: 'policy-test/rule-not-hit', level: 'error', locations: [at('p.toml', 9)] }]);
    expect(found(40)).toMatchObject([{ level: 'warning' }]);
    expect(found(undefined)).toEqual([]);
  });

  it('names files as URIs', () => {
    const results = report(resultOf(fixture('f', { file: 'a b/100%#.json', expected: 'allow' }), decision('deny', 0)));
    const { runs } = read(results, { ...CONTEXT, policy: '/etc/p q.toml' });
    expect(runs[0].results[0]).toMatchObject({
      locations: [at('file:///etc/p%20q.toml', 3)],
      relatedLocations: [at('a%20b/100%25%23.json')],
    });
  });

  it('has the mutants that nothing notices', () => {
    const found = (minMutation: number | undefined): readonly object[] =>
      read({ ...report(), mutation: mutationOf(1, 1) }, { ...CONTEXT, minMutation }).runs[0].results;
    const message = { text: expect.stringContaining('no fixture notices "keys": tool without "a0"; missing is a call') };
    expect(found(100)).toEqual([
      { ruleId: 'policy-test/mutant-not-noticed', ruleIndex: 2, level: 'error', message, locations: [at('p.toml', 3)] },
    ]);
    expect(found(50)).toMatchObject([{ level: 'warning' }]);
    expect(found(undefined)).toMatchObject([{ level: 'warning' }]);
  });
});

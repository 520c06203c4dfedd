import { describe, expect, it } from 'vitest';
import { formatGithubReport } from '../../../../../src/cli/policy/test/reporters/annotate-report.ts';
import { CONTEXT, decision, fixture, mutationOf, report, resultOf } from '../../../../support/test-reports.ts';

const lines = (text: string): string[] => text.trimEnd().split('\n');

describe('formatGithubReport', () => {
  it('has an error at the line of the rule that decided, or that should have, and sums up', () => {
    const text = formatGithubReport(
      report(
        resultOf(fixture('good', { expected: 'deny' }), decision('deny', 0)),
        resultOf(fixture('bad', { expected: 'allow' }), decision('prompt', 1)),
        resultOf(fixture('none', { expected: 'deny', expectedRule: 'keys' }), decision('allow')),
        resultOf(fixture('number', { expectedRule: 2 }), decision('allow')),
        resultOf(fixture('default', { expected: 'deny' }), decision('allow')),
      ),
      CONTEXT,
    );
    expect(lines(text)).toEqual([
      '::error file=p.toml,line=9,title=bad::expected allow, actual prompt by rule 2 at p.toml:9 (bad.json)',
      '::error file=p.toml,line=3,title=none::expected deny by rule "keys", actual allow by the default (none.json)',
      '::error file=p.toml,line=9,title=number::expected by rule 2, actual allow by the default (number.json)',
      '::error file=p.toml,title=default::expected deny, actual allow by the default (default.json)',
      '1 passed, 4 failed, 0 not checked; 2 of 2 rules hit',
    ]);
  });

  it('has the rules that nothing hits where coverage is asked for', () => {
    const results = report(resultOf(fixture('f', { expected: 'deny' }), decision('deny', 0)));
    const first = (minCoverage: number | undefined): string =>
      lines(formatGithubReport(results, { ...CONTEXT, minCoverage }))[0] ?? '';
    expect(first(100)).toBe(
      '::error file=p.toml,line=9,title=rule 2::no fixture hits this rule: 50 %25 of the rules were hit, below the required 100 %25',
    );
    expect(first(40)).toMatch(/^::warning file=p.toml,line=9,/);
    expect(first(undefined)).toBe('1 passed, 0 failed, 0 not checked; 1 of 2 rules hit');
  });

  it('no name makes another command or another property', () => {
    const name = 'a,line=1:b%\r\n::error::c';
    const results = report(resultOf(fixture(name, { file: name, expected: 'allow' }), decision('deny', 0)));
    const text = lines(formatGithubReport(results, { ...CONTEXT, policy: 'a:b,c.toml' }));
    expect(text).toHaveLength(2);
    expect(text[0]).toMatch(
      /^::error file=a%3Ab%2Cc.toml,line=3,title=a%2Cline=1%3Ab%25\ufffd\ufffd%3A%3Aerror%3A%3Ac::expected /,
    );
    expect(text[0]).toContain('(a,line=1:b%25\ufffd\ufffd::error::c)');
  });

  it('has the mutants that nothing notices at their lines', () => {
    const of = (minMutation: number | undefined): string[] =>
      lines(formatGithubReport({ ...report(), mutation: mutationOf(1, 1) }, { ...CONTEXT, minMutation }));
    const title = 'title="keys"%3A tool without "a0"';
    expect(of(100)[0]).toMatch(
      `::error file=p.toml,line=3,${title}::no fixture notices "keys": tool without "a0"; missing is a call`,
    );
    expect(of(100).at(-1)).toMatch(/; 50 (?:%25|%) of the mutants were noticed \(1 of 2\), below the required 100 (?:%25|%)$/);
    expect(of(undefined)[0]).toMatch(`::warning file=p.toml,line=3,${title}::`);
    expect(lines(formatGithubReport({ ...report(), mutation: null }, CONTEXT))).toHaveLength(1);
  });
});

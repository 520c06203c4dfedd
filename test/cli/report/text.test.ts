import { describe, expect, it } from 'vitest';
import { formatTextReport } from '../../../src/cli/report/text.ts';
import { toReport, toResult, type TestReport } from '../../../src/cli/test-report.ts';
import type { Action, Decision } from '../../../src/core/decision.ts';
import type { Fixture } from '../../../src/cli/fixture.ts';

function decision(action: Action, index?: number): Decision {
  const rule = index === undefined ? {} : { rule: { index, action, ...(index === 0 ? { id: 'keys' } : {}) } };
  return { action, reason: index === undefined ? 'default' : 'rule', findings: [], policyHash: '', ...rule };
}

function fixture(name: string, more: Partial<Fixture> = {}): Fixture {
  return { file: `${name}.json`, name, call: { method: 'tools/call', server: 'fixture', tool: 't' }, ...more };
}

const CONTEXT = { policy: 'p.toml', rulePlaces: ['p.toml:3', 'p.toml:9'], colour: false };

function report(...results: TestReport['results'][number][]): TestReport {
  return toReport(results, ['keys', 'rule 2']);
}

describe('formatTextReport', () => {
  it('gives each fixture a line, each mismatch its reasons, and sums up', () => {
    const text = formatTextReport(
      report(
        toResult(fixture('good', { expected: 'deny', expectedRule: 'keys' }), decision('deny', 0)),
        toResult(fixture('wrong action', { expected: 'allow' }), decision('prompt', 1)),
        toResult(fixture('wrong rule', { expected: 'deny', expectedRule: 2 }), decision('deny', 0)),
        toResult(fixture('no rule', { expected: 'deny', expectedRule: 'keys' }), decision('deny')),
        toResult(fixture('unchecked'), decision('allow')),
      ),
      CONTEXT,
    );
    expect(text).toBe(
      [
        'ok    good          deny    keys',
        'FAIL  wrong action  prompt  rule 2',
        '        expected  allow',
        '        actual    prompt by rule 2 at p.toml:9',
        '        fixture   wrong action.json',
        'FAIL  wrong rule    deny    keys',
        '        expected  deny by rule 2',
        '        actual    deny by rule "keys" at p.toml:3',
        '        fixture   wrong rule.json',
        'FAIL  no rule       deny    the default',
        '        expected  deny by rule "keys"',
        '        actual    deny by the default',
        '        fixture   no rule.json',
        '-     unchecked     allow   the default',
        '',
        '5 fixtures: 1 passed, 3 failed, 1 not checked; 2 of 2 rules hit',
        '',
      ].join('\n'),
    );
  });

  it('names the rules that nothing hit, up to a few', () => {
    const result = toResult(fixture('good', { expected: 'deny' }), decision('deny', 0));
    const summary = (...names: string[]): string[] =>
      formatTextReport(toReport([result], ['keys', ...names]), CONTEXT)
        .trimEnd()
        .split('\n')
        .slice(2);
    const counted = '1 fixture: 1 passed, 0 failed; 1 of';
    expect(summary()).toEqual([`${counted} 1 rules hit`]);
    expect(summary('a', 'rule 3')).toEqual([`${counted} 3 rules hit`, 'not hit: a, rule 3']);
    expect(summary('a', 'b', 'c', 'd', 'e')).toEqual([`${counted} 6 rules hit`, 'not hit: a, b, c, d, e']);
    expect(summary('a', 'b', 'c', 'd', 'e', 'f', 'g')).toEqual([`${counted} 8 rules hit`, 'not hit: a, b, c, d, e and 2 more']);
    expect(summary('a\u001b[2J')).toEqual([`${counted} 2 rules hit`, 'not hit: a\uFFFD[2J']);
  });

  it('uses escape sequences only where it may, and none from a name', () => {
    const results = report(toResult(fixture('a\u001b[2Jb\u202e', { expected: 'deny' }), decision('deny', 0)));
    expect(formatTextReport(results, CONTEXT)).not.toMatch(/[\u001b\u202e]/);
    expect(formatTextReport(results, { ...CONTEXT, colour: true })).toContain('\u001b[32m');
  });
});

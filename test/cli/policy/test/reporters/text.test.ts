import { describe, expect, it } from 'vitest';
import { formatTextReport } from '../../../../../src/cli/policy/test/reporters/text.ts';
import { toReport, type TestReport } from '../../../../../src/cli/policy/test/test-report.ts';
import type { Decision } from '../../../../../src/core/decision.ts';
import {
  CONTEXT,
  decision,
  excess,
  finding,
  fixture,
  GUARDS,
  mutationOf,
  report,
  resultOf,
  step,
} from '../../../../support/test-reports.ts';

describe('formatTextReport', () => {
  it('gives each fixture a line, each mismatch its reasons, and sums up', () => {
    const text = formatTextReport(
      report(
        resultOf(fixture('good', { expected: 'deny', expectedRule: 'keys' }), decision('deny', 0)),
        resultOf(fixture('wrong action', { expected: 'allow' }), decision('prompt', 1)),
        resultOf(fixture('wrong rule', { expected: 'deny', expectedRule: 2 }), decision('deny', 0)),
        resultOf(fixture('no rule', { expected: 'deny', expectedRule: 'keys' }), decision('deny')),
        resultOf(fixture('unchecked'), decision('allow')),
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
    const result = resultOf(fixture('good', { expected: 'deny' }), decision('deny', 0));
    const summary = (...names: string[]): string[] =>
      formatTextReport(toReport([result], { rules: ['keys', ...names], guards: GUARDS }), CONTEXT)
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
    const results = report(resultOf(fixture('a\u001b[2Jb\u202e', { expected: 'deny' }), decision('deny', 0)));
    expect(formatTextReport(results, CONTEXT)).not.toMatch(/[\u001b\u202e]/);
    expect(formatTextReport(results, { ...CONTEXT, colour: true })).toContain('\u001b[32m');
  });

  it('names steps, what flow rules found, and the guards that decided', () => {
    const denied: Decision = { ...decision('deny'), reason: 'flow', flow: [finding('read_then_send'), finding('burst')] };
    const limited: Decision = { ...decision('deny'), reason: 'rate_limit', excess: excess('server') };
    const text = formatTextReport(
      report(
        resultOf(fixture('mail', { step: step(1, false), expected: 'allow' }), decision('allow')),
        resultOf(
          fixture('mail', {
            step: step(2, false),
            expectedRule: 'flow:read_then_send',
            expectedFlow: ['burst', 'read_then_send'],
          }),
          denied,
        ),
        resultOf(fixture('mail', { step: step(3, true), expected: 'deny', expectedFlow: ['burst'] }), denied),
        resultOf(fixture('alone', { expectedFlow: [] }), { ...decision('allow', 0), flow: [finding('burst')] }),
        resultOf(fixture('often', { expected: 'deny', expectedRule: 'rate_limit' }), limited),
        resultOf(fixture('too often', { expected: 'deny', expectedRule: 'flow:burst' }), limited),
      ),
      CONTEXT,
    );
    expect(text).toBe(
      [
        'ok    mail, step 1  allow   the default',
        'ok    mail, step 2  deny    flow:read_then_send, found: burst',
        'FAIL  mail, step 3  deny    flow:read_then_send, found: burst',
        '        expected  deny finding burst',
        '        actual    deny by flow:read_then_send finding read_then_send, burst',
        '        read_then_send: it makes a read_then_send',
        '        burst: it makes a burst',
        '        fixture   mail.json',
        'FAIL  alone         allow   keys, found: burst',
        '        expected  finding nothing',
        '        actual    allow by rule "keys" at p.toml:3 finding burst',
        '        burst: it makes a burst',
        '        fixture   alone.json',
        'ok    often         deny    rate_limit',
        'FAIL  too often     deny    rate_limit',
        '        expected  deny by flow:burst',
        '        actual    deny by rate_limit',
        '        fixture   too often.json',
        '',
        '4 fixtures with 6 calls: 3 passed, 3 failed; 1 of 2 rules hit, 3 of 4 guards',
        'not hit: rule 2, rate_limit:files',
        '',
      ].join('\n'),
    );
  });

  it('says one call where there is one', () => {
    const only = resultOf(fixture('mail', { step: step(1, true), expected: 'allow' }), decision('allow'));
    expect(formatTextReport(report(only), CONTEXT)).toContain('\n1 fixture with 1 call: 1 passed, 0 failed; ');
  });

  it('counts a limit as hit where it is the one that the server or the tool has', () => {
    const denied = (of: 'server' | 'tool', server: string): TestReport['results'][number] =>
      resultOf(fixture('f', { call: { method: 'tools/call', server, tool: 't' } }), {
        ...decision('deny'),
        reason: 'rate_limit',
        excess: excess(of),
      });
    const guards = ['rate_limit', 'rate_limit:a', 'rate_limit:a/t'];
    const hits = (...results: TestReport['results']): readonly string[] =>
      toReport(results, { rules: [], guards }).coverage.guards.hit;
    expect(hits()).toEqual([]);
    expect(hits(denied('server', 'b'))).toEqual(['rate_limit']);
    expect(hits(denied('server', 'a'))).toEqual(['rate_limit:a']);
    expect(hits(denied('tool', 'a'))).toEqual(['rate_limit:a/t']);
  });

  it('says nothing of flow where nothing was tested of it', () => {
    expect(formatTextReport(report(resultOf(fixture('f'), decision('deny', 0))), CONTEXT)).not.toContain('flow');
  });

  it('says which rules nothing hits where that is asked for, all of them and where they stand', () => {
    const rules = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const results = toReport([resultOf(fixture('f'), decision('deny', 0))], { rules, guards: [] });
    const context = { ...CONTEXT, rules, ruleLines: [1, 2, 3, 4, 5, 6, 7, 8] };
    const below = formatTextReport(results, { ...context, minCoverage: 50 })
      .split('\n')
      .slice(4);
    expect(below.slice(0, 2)).toEqual(['12.5 % of the rules were hit, below the required 50 %', '        p.toml:2  b']);
    expect(below).toHaveLength(9);
    expect(formatTextReport(results, { ...context, minCoverage: 12.5 })).not.toContain('%');
  });

  it('lists mutants that nothing notices, as many as somebody may work through', () => {
    const results = report(resultOf(fixture('f', { expected: 'deny' }), decision('deny', 0)));
    const told = (killed: number, survived: number): string[] =>
      formatTextReport({ ...results, mutation: mutationOf(killed, survived) }, CONTEXT)
        .trimEnd()
        .split('\n')
        .slice(4);
    expect(told(2, 0)).toEqual(['100 % of the mutants were noticed (2 of 2)']);
    expect(told(1, 1)).toEqual([
      '50 % of the mutants were noticed (1 of 2)',
      '        p.toml:3  "keys": tool without "a0"',
      '            missing: a call with tool such as "a0" that "keys" decides',
    ]);
    expect(told(0, 1030)).toHaveLength(1 + 2 * 25 + 1);
    expect(told(0, 1030).at(-1)).toBe('        and 1,005 more; --reporter json has them all');
    expect(formatTextReport({ ...results, mutation: null }, CONTEXT)).toBe(formatTextReport(results, CONTEXT));
  });
});

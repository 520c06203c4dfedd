import { describe, expect, it } from 'vitest';

import type { Call } from '../../../src/core/call.ts';
import { compilePolicy } from '../../../src/core/match/compile.ts';
import { evaluateRule, type Outcome } from '../../../src/core/match/evaluate.ts';
import { createMatchContext } from '../../../src/core/match/match-context.ts';
import { NO_SUBJECT } from '../../../src/core/match/subject.ts';
import { Reading } from '../../../src/core/match/reading.ts';
import { POSIX, policyFrom } from '../../support/policy.ts';

function evaluate(lines: string, call: Partial<Call>): Outcome {
  const [rule] = compilePolicy(policyFrom(`[[rule]]\n${lines}`)).rules;
  if (rule === undefined) throw new Error(lines);
  const context = createMatchContext(call.args, { reading: new Reading(POSIX), realPaths: new Map() });
  return evaluateRule(rule, {
    call: { method: 'tools/call', server: 's', tool: 't', ...call },
    subject: NO_SUBJECT,
    context,
  });
}

describe('evaluateRule', () => {
  it('needs every argument to match', () => {
    const lines = 'action = "deny"\ntool = "t"\nargs.a = 1\nargs.b = 2';
    expect(evaluate(lines, { args: { a: 1, b: 2 } })).toBe('match');
    expect(evaluate(lines, { args: { a: 1, b: 3 } })).toBe('miss');
    expect(evaluate(lines, {})).toBe('miss');
  });

  it('reads a URI in every form', () => {
    const lines = 'action = "deny"\nresource = "file:///etc/**"';
    const read = (resource: string): Outcome => evaluate(lines, { method: 'resources/read', resource });
    expect(['file:///etc/x', 'file:///a/../etc/x', 'file:///%65tc/x', 'file://localhost/etc/x'].map(read)).toEqual(
      Array(4).fill('match'),
    );
    expect(read('https://etc/x')).toBe('miss');
    expect(evaluate(lines, { tool: 't' })).toBe('miss');
    expect(evaluate('action = "allow"\nresource = "https://host/docs/**"', { resource: 'https://host/docs/../x' })).toBe('miss');
    expect(evaluate('action = "allow"\nresource = "https://host/docs/**"', { resource: 'https://host/docs/x' })).toBe('match');
  });

  describe('unless', () => {
    const deny =
      'action = "deny"\ntool = "**"\nargs.path = "/home/user/**"\nunless = { tool = "read_*", args.path = "/home/user/public/**" }';

    it('excepts what certainly matches it', () => {
      expect(evaluate(deny, { tool: 'read_x', args: { path: '~/public/a' } })).toBe('miss');
      expect(evaluate(deny, { tool: 'write_x', args: { path: '~/public/a' } })).toBe('match');
      expect(evaluate(deny, { tool: 'read_x', args: { path: '~/secret/a' } })).toBe('match');
    });

    it('does not let a deny rule be talked out of it by one form', () => {
      expect(evaluate(deny, { tool: 'read_x', args: { path: '~/public/%2e%2e/secret/a' } })).toBe('match');
      expect(evaluate(deny, { tool: 'read_x', args: { path: ['~/public/a', '~/secret/a'] } })).toBe('match');
    });

    it('keeps an allow rule from matching on any form', () => {
      const allow = 'action = "allow"\ntool = "t"\nunless.args.path = "/home/user/secret/**"';
      expect(evaluate(allow, { args: { path: '~/a' } })).toBe('match');
      expect(evaluate(allow, { args: { path: ['~/a', '~/%73ecret/a'] } })).toBe('miss');
    });
  });

  describe('a NUL byte', () => {
    it.each(['a\0', 'a%00b', 'file:///a%2500'])('in %j is found, whatever the action', (path) => {
      for (const action of ['allow', 'deny', 'prompt']) {
        expect(evaluate(`action = "${action}"\ntool = "t"\nargs.path = "/etc/**"`, { args: { path } })).toBe('nul');
      }
    });

    it('is found whatever the other arguments are', () => {
      const lines = 'action = "allow"\ntool = "t"\nargs.mode = "r"\nargs.a = "/x/**"\nargs.b = "/x/**"';
      expect(evaluate(lines, { args: { mode: 'w', a: '/y', b: '/x/\0' } })).toBe('nul');
      expect(evaluate(lines, { args: { mode: 'w', a: ['/y', '/x/\0'] } })).toBe('nul');
    });

    it('is found in URIs, keys and exceptions', () => {
      expect(evaluate('action = "allow"\nresource = "file:///x/**"', { resource: 'file:///x/%00' })).toBe('nul');
      expect(evaluate('action = "deny"\ntool = "t"\nargs."**" = "/x/**"', { args: { 'a\0': 1 } })).toBe('nul');
      expect(evaluate('action = "deny"\ntool = "t"\nunless.args.p = "/x/**"', { args: { p: '\0' } })).toBe('nul');
    });

    it('is text to matchers that are not about paths', () => {
      expect(evaluate('action = "deny"\ntool = "t"\nargs.text = "a*"', { args: { text: 'a\0' } })).toBe('match');
    });
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parsePolicy } from '../../../src/core/policy/parse.ts';
import { compileRegex } from '../../../src/core/policy/regex.ts';
import type { PolicyError } from '../../../src/core/policy/types.ts';
import { policyFrom } from '../../support/policy.ts';

function errorsOf(text: string): readonly PolicyError[] {
  const result = parsePolicy(text, { file: 'p.toml', regex: compileRegex });
  return !result.ok && 'errors' in result ? result.errors : [];
}

const NOT_ENFORCED = /is not enforced by this version of clawai, so it is refused rather than ignored$/;

describe('parsePolicy', () => {
  it('takes an empty text for a policy that denies everything', () => {
    for (const text of ['', '\n# nothing\n', '\uFEFF']) {
      expect(parsePolicy(text, { file: 'p.toml' })).toEqual({
        ok: true,
        policy: {
          file: 'p.toml',
          text,
          defaults: { action: 'deny', unknownMethods: 'allow' },
          rules: [],
        },
      });
    }
  });

  it('skips a BOM', () => {
    expect(policyFrom('\uFEFF[defaults]\naction = "prompt"\nunknown_methods = "deny"').defaults).toEqual({
      action: 'prompt',
      unknownMethods: 'deny',
    });
  });

  it('reads rules in file order', () => {
    const { rules } = policyFrom('[[rule]]\naction = "deny"\ntool = "b"\n[[rule]]\naction = "allow"\ntool = "a"\nid = "x"');
    expect(rules).toEqual([
      { index: 0, action: 'deny', args: [], tool: { op: 'globs', patterns: ['b'] } },
      { index: 1, action: 'allow', args: [], tool: { op: 'globs', patterns: ['a'] }, id: 'x' },
    ]);
  });

  it('places a syntax error', () => {
    expect(parsePolicy('[[rule]]\naction = ', { file: 'p' })).toMatchObject({ ok: false, syntax: { line: 2 } });
  });

  it('asks for the regex engine only where it is needed', () => {
    const text = '[[rule]]\naction = "deny"\ntool = { regex = "x" }';
    expect(parsePolicy(text, { file: 'p' })).toEqual({ ok: false, errors: [], needsRegex: true });
    expect(parsePolicy(text, { file: 'p', regex: compileRegex }).ok).toBe(true);
  });
});

describe('hazard 4: what is not understood is an error, never a policy without rules', () => {
  it.each([
    ['[[rules]]\naction = "deny"', ['rules'], 'unknown key "rules" in the policy', 'did you mean "rule"?'],
    ['[rule]\naction = "deny"', ['rule'], 'rules are a list of tables', 'write [[rule]] with two brackets'],
    ['rule = 5', ['rule'], 'rules are a list of tables', undefined],
    ['rule = [5]', ['rule', 0], 'rule must be a table, not an integer', undefined],
    ['defaults = "deny"', ['defaults'], 'defaults must be a table, not a string', undefined],
    ['[defaults]\nacton = "deny"', ['defaults', 'acton'], 'unknown key "acton" in [defaults]', 'did you mean "action"?'],
    ['[defaults]\naction = "block"', ['defaults', 'action'], 'unknown action "block"', 'actions: allow, deny, prompt'],
    ['[defaults]\naction = true', ['defaults', 'action'], 'defaults.action must be a string, not a boolean', undefined],
    [
      '[defaults]\nunknown_methods = "prompt"',
      ['defaults', 'unknown_methods'],
      'unknown_methods is "allow" or "deny", not "prompt"',
      undefined,
    ],
    [
      '[defaults]\nunknown_methods = 1',
      ['defaults', 'unknown_methods'],
      'defaults.unknown_methods must be "allow" or "deny", not an integer',
      undefined,
    ],
    ['__proto__ = 1', ['__proto__'], 'unknown key "__proto__" in the policy', 'known keys: defaults, rule'],
  ])('%j', (text, path, message, hint) => {
    expect(errorsOf(text)).toEqual([hint === undefined ? { path, message } : { path, message, hint }]);
  });

  it.each([
    ['server_policy', 'pinning', 'rate_limits', 'flow', 'detection', 'classify', 'approval', 'dlp'].map((table) => `[${table}]`),
    ['native', 'unknown_server', 'unmapped_tool'].map((key) => `[defaults]\n${key} = "deny"`),
    ['category', 'fingerprint'].map((key) => `[[rule]]\naction = "deny"\ntool = "t"\n${key} = "x"`),
  ])('what this version leaves out is refused', (...texts) => {
    for (const text of texts)
      expect(errorsOf(text)).toEqual([{ path: expect.any(Array), message: expect.stringMatching(NOT_ENFORCED) }]);
  });

  it('names a duplicate id', () => {
    const rule = '[[rule]]\naction = "deny"\ntool = "t"\nid = "a"\n';
    expect(errorsOf(rule + rule)).toEqual([
      { path: ['rule', 1, 'id'], message: 'the id "a" is already that of rule 1', hint: expect.any(String) },
    ]);
  });

  it('says everything at once', () => {
    const text =
      'x = 1\n[[rule]]\naction = "dney"\ntool = ""\n[[rule]]\naction = "deny"\n[[rule]]\ntool = "t"\nargs.a = { gtt = 1 }';
    expect(errorsOf(text).map(({ path }) => path.join('.'))).toEqual([
      'x',
      'rule.0.action',
      'rule.0.tool',
      'rule.1',
      'rule.2',
      'rule.2.args.a.gtt',
    ]);
  });

  it('never throws, and never takes a faulty policy for an emptier one', () => {
    const key = fc.constantFrom(
      'action',
      'tool',
      'args',
      'args.path',
      'args."**"',
      'server',
      'unless',
      'unless.tool',
      'id',
      'rule',
      '__proto__',
      'x',
    );
    const leaf = fc.constantFrom(
      '"deny"',
      '"allow"',
      '"a*"',
      '""',
      '1',
      '1.5',
      'true',
      '[]',
      '["a", 1]',
      '{}',
      '{ not = "x" }',
      '{ a = 1 }',
      'inf',
    );
    const lines = fc.array(
      fc.oneof(
        fc.tuple(key, leaf).map(([k, v]) => `${k} = ${v}`),
        fc.constantFrom('[[rule]]', '[defaults]'),
      ),
      { maxLength: 10 },
    );
    const isHonest = (text: readonly string[]): boolean => {
      const result = parsePolicy(text.join('\n'), { file: 'p', regex: compileRegex });
      if (result.ok) return result.policy.rules.length === text.filter((line) => line === '[[rule]]').length;
      return 'syntax' in result || result.errors.length > 0;
    };
    expect(fc.check(fc.property(lines, isHonest), { numRuns: 2_000 })).toMatchObject({ failed: false });
  });
});

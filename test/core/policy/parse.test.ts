import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { locate } from '../../../src/core/policy/locate.ts';
import { parsePolicy } from '../../../src/core/policy/parse.ts';
import { compileRegex } from '../../../src/core/patterns/regex.ts';
import type { PolicyError } from '../../../src/core/policy/types.ts';
import { policyFrom } from '../../support/policy.ts';

function errorsOf(text: string): readonly PolicyError[] {
  const result = parsePolicy(text, { file: 'p.toml', regex: compileRegex });
  return !result.ok && 'errors' in result ? result.errors : [];
}

describe('parsePolicy', () => {
  it('takes an empty text for a policy that denies everything', () => {
    for (const text of ['', '\n# nothing\n', '\uFEFF']) {
      expect(parsePolicy(text, { file: 'p.toml' })).toEqual({
        ok: true,
        policy: {
          file: 'p.toml',
          text,
          defaults: { action: 'deny', unknownMethods: 'allow', unknownServer: 'allow', native: 'allow', unmappedTool: 'deny' },
          serverPolicy: { mode: 'none', allow: [], deny: [] },
          schema: { enabled: true, onMismatch: 'alert', unknownArguments: 'schema' },
          dlp: policyFrom('').dlp,
          pinning: { enabled: true, trustFirstUse: true, onChange: 'deny' },
          flow: policyFrom('').flow,
          detection: policyFrom('').detection,
          rateLimits: { enabled: false, default: { rpm: 60, burst: 10 }, servers: new Map() },
          classify: {},
          approval: { channels: ['terminal', 'desktop'], timeout: 45_000 },
          rules: [],
        },
      });
    }
  });

  it('skips a BOM', () => {
    expect(policyFrom('\uFEFF[defaults]\naction = "prompt"\nunknown_methods = "deny"').defaults).toEqual({
      action: 'prompt',
      unknownMethods: 'deny',
      unknownServer: 'allow',
      native: 'allow',
      unmappedTool: 'deny',
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
    ['[cross_server]\nenabled = true', ['cross_server'], 'unknown key "cross_server" in the policy', 'did you mean "flow"?'],
    ['[rule]\naction = "deny"', ['rule'], 'rules are a list of tables', 'write [[rule]] with two brackets'],
    ['rule = 5', ['rule'], 'rules are a list of tables', undefined],
    ['rule = [5]', ['rule', 0], 'rule must be a table, not an integer', undefined],
    ['defaults = "deny"', ['defaults'], 'defaults must be a table, not a string', undefined],
    ['[[rule]]\nacton = "deny"\ntool = "t"', ['rule', 0, 'acton'], 'unknown key "acton" in a rule', 'did you mean "action"?'],
    ['[[rule]]\naction = "deny"\ntol = "t"', ['rule', 0, 'tol'], 'unknown key "tol" in a rule', 'did you mean "tool"?'],
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
    [
      '__proto__ = 1',
      ['__proto__'],
      'unknown key "__proto__" in the policy',
      'known keys: defaults, server_policy, schema, dlp, pinning, rate_limits, flow, detection, classify, approval, rule',
    ],
  ])('%j', (text, path, message, hint) => {
    expect(errorsOf(text)).toEqual([hint === undefined ? { path, message } : { path, message, hint }]);
  });

  it('names a duplicate id', () => {
    const rule = '[[rule]]\naction = "deny"\ntool = "t"\nid = "a"\n';
    expect(errorsOf(rule + rule)).toEqual([
      { path: ['rule', 1, 'id'], message: 'rule 1 already has the id "a"', hint: expect.any(String) },
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

describe('a fault in a policy of many lines', () => {
  const rule = '[[rule]]\naction = "deny"\ntool = "t"\n';
  const before = `# the first line is good\n[defaults]\naction = "deny"\n\n${rule}\n`;
  it.each<[string, string, number, number]>([
    ['[[rules]]', '[[rules]]\naction = "deny"\ntool = "t"', 9, 1],
    ['[[Rule]]', '[[Rule]]\naction = "deny"', 9, 1],
    ['[[rules]] again and again', '[[rules]]\n[[rules]]\n[[rules]]', 9, 1],
    ['an indented header', '  [[rules]]', 9, 3],
    ['a header of an unknown table', '[server]\nx = 1', 9, 1],
    ['an unknown dotted header', '[a.b]\nx = 1', 9, 1],
    ['a rule without an action', '[[rule]]\n# nothing said\ntool = "t"', 9, 1],
    ['an unknown key', '[[rule]]\naction = "deny"\ntool = "t"\n  tol = "x"', 12, 3],
    ['a quoted key', '[[rule]]\naction = "deny"\ntool = "t"\n"ar gs" = 1', 12, 1],
    ['a dotted key', '[[rule]]\naction = "deny"\ntool = "t"\nargs.a.eqals = "x"', 12, 8],
    ['a quoted part of a dotted key', '[[rule]]\naction = "deny"\ntool = "t"\nargs."a/b" = "x"', 12, 6],
    ['a value of a list', '[[rule]]\naction = "deny"\ntool = ["a",\n  "b",\n  5]', 13, 3],
    ['an inline table', '[[rule]]\naction = "deny"\ntool = "t"\nargs = { a = { gtt = 1 } }', 12, 16],
    ['an inline table of several lines', '[[rule]]\naction = "deny"\ntool = "t"\nargs = {\n  a = { gtt = 1 },\n}', 13, 9],
    ['a table of its own', '[[rule]]\naction = "deny"\ntool = "t"\n[rule.args.path]\nin = "a"', 13, 1],
    ['a nested unless, dotted', '[[rule]]\naction = "deny"\ntool = "t"\nunless.tol = "x"', 12, 8],
    ['a nested unless, inline', '[[rule]]\naction = "deny"\ntool = "t"\nunless = { args = { a = { regx = "x" } } }', 12, 27],
    ['a nested unless, a table', '[[rule]]\naction = "deny"\ntool = "t"\n[rule.unless]\ntol = "x"', 13, 1],
    ['an unless that is a list', '[[rule]]\naction = "deny"\ntool = "t"\n[[rule.unless]]\ntool = "x"', 12, 1],
    ['an empty unless', '[[rule]]\naction = "deny"\ntool = "t"\n[rule.unless]', 12, 1],
    ['a table of rules', '[rules.a]\naction = "deny"', 9, 1],
  ])('%s: line and column', (_case, text, line, column) => {
    expect(errorsOf(before + text).map(({ path }) => locate(before + text, path))).toEqual([{ line, column }]);
    expect(errorsOf(before)).toEqual([]);
  });

  it.each<[string, string, number, number]>([
    ['single brackets', '[rule]\naction = "deny"', 2, 1],
    ['single brackets and a further table', '[rule.args]\npath = "x"', 2, 1],
    ['inline rules', 'rule = [\n  { action = "deny", tool = "t" },\n  { action = "dney", tool = "t" },\n]', 4, 5],
    ['a key of [defaults]', '[defaults]\naction = "deny"\nacton = "deny"', 4, 1],
    ['a value of [defaults]', '[defaults]\n\n  action = "block"', 4, 3],
    ['a dotted key of defaults', 'defaults.action = "deny"\ndefaults.unknown_method = "deny"', 3, 10],
    ['inline defaults', 'defaults = { action = "deny", acton = 1 }', 2, 31],
    ['[[defaults]]', '[[defaults]]\naction = "deny"', 2, 1],
  ])('%s: line and column', (_case, text, line, column) => {
    const all = `# the first line is good\n${text}`;
    expect(errorsOf(all).map(({ path }) => locate(all, path))).toEqual([{ line, column }]);
  });
});

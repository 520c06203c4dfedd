import { describe, expect, it } from 'vitest';
import type { Explained, Surroundings } from '../../../../src/cli/policy/explain/explained.ts';
import { renderExplained } from '../../../../src/cli/policy/explain/render.ts';
import type { Call } from '../../../../src/core/call.ts';
import { explained, type World } from '../../../support/explained.ts';
import { policyFrom } from '../../../support/policy.ts';
import { registryFacts } from '../../../support/registry-facts.ts';

const RULE = (id: string, action: string, lines: string): string => `[[rule]]\nid = "${id}"\naction = "${action}"\n${lines}\n`;

function rendered(text: string, call: Partial<Call>, world: World = {}, colour = false): readonly string[] {
  const policy = policyFrom(text);
  const project = world.project === undefined ? undefined : { file: 'theirs.toml', policy: policyFrom(world.project) };
  const lines = Array.from({ length: 9 }, (_, i) => i + 1);
  const around: Surroundings = {
    files: { user: { file: 'p.toml', policy }, project, note: undefined },
    lines: { user: lines, project: lines },
    defaultLines: { action: 7, native: 8 },
    colour,
  };
  const fixture: Explained['fixture'] = { file: '', name: '', call: { method: 'tools/call', server: 'files', ...call } };
  return renderExplained(
    { fixture, explanation: explained(text, call, world), result: undefined, request: undefined },
    around,
  ).split('\n');
}

describe('what decided', () => {
  it.each<[text: string, call: Partial<Call>, world: World, first: string]>([
    [RULE('a', 'deny', 'tool = "t"\ndescription = "Why"'), { tool: 't' }, {}, 'deny by rule a (p.toml:1): Why'],
    ['[[rule]]\naction = "prompt"\ntool = "t"', { tool: 't' }, {}, 'prompt by rule 1 (p.toml:1)'],
    ['', { tool: 't' }, {}, 'deny by the default (p.toml:7): no rule matches'],
    ['', { tool: 't', server: 'native', origin: 'native' }, {}, 'allow by the default (p.toml:8): no rule matches'],
    ['', { method: 'ping' }, {}, 'allow by the default: no rule matches'],
    [
      RULE('a', 'allow', 'tool = "t"'),
      { tool: 't' },
      { project: RULE('b', 'deny', 'tool = "t"') },
      'deny by rule b of the project (theirs.toml:1)',
    ],
    [
      RULE('a', 'allow', 'tool = "t"\nargs.p = "/x/**"'),
      { tool: 't', args: { p: '\0' } },
      {},
      'deny by rule a (p.toml:1): a path in its arguments has a NUL byte in it',
    ],
    [
      RULE('a', 'allow', 'tool = "t"'),
      { tool: 't' },
      { registry: registryFacts({ status: 'changed' }) },
      'deny by pinning: its definition has changed since it was approved',
    ],
    ['[server_policy]\npolicy = "allowlist"', { tool: 't' }, {}, 'deny by server_policy: there may be no server "files"'],
    [
      '',
      { tool: 't', args: { command: 'clawai unwrap' } },
      {},
      "deny by self: it reaches for clawai's own files or settings, runs a command that changes clawai, or may turn an agent's hooks off",
    ],
  ])('%j of %j', (text, call, world, first) => {
    expect(rendered(text, call, world)[0]).toBe(first);
  });
});

describe('what would have to be different', () => {
  const nearest = (text: string, args: Call['args']): string | undefined =>
    rendered(text, { tool: 't', args }).find((line) => line.startsWith('  nearest'));

  it('is said of a rule that is less strict and misses by one condition, or by its exception', () => {
    const allow = RULE('a', 'allow', 'tool = "t"\nargs.p = "x*"\nunless = { args.p = "xy" }');
    expect(nearest(allow, { p: 'z' })).toBe(
      '  nearest: rule a (allow) would match but for this: args.p does not match "x*": "z" at /p',
    );
    expect(nearest(allow, { p: 'xy' })).toBe(
      '  nearest: rule a (allow) would match but for its exception: args.p matches "xy": "xy" at /p',
    );
  });

  it('is said of a rule about another kind of tool only where no other is near', () => {
    const allow = RULE('a', 'allow', 'tool = "t"\nargs.p = "x*"');
    const kind = RULE('kind', 'allow', 'tool = "**"\ncategory = "send"');
    expect(nearest(allow + kind, { p: 'z' })).toContain('nearest: rule a (allow)');
    expect(nearest(kind, { p: 'z' })).toContain('nearest: rule kind (allow)');
  });

  it('is not said where two conditions miss, of a stricter rule, or of one below', () => {
    expect(nearest(RULE('a', 'allow', 'tool = "t"\nargs.p = "x"\nargs.q = "x"'), {})).toBeUndefined();
    expect(nearest(`[defaults]\naction = "allow"\n${RULE('a', 'deny', 'tool = "t"\nargs.p = "x"')}`, {})).toBeUndefined();
    expect(nearest(RULE('d', 'deny', 'tool = "t"') + RULE('a', 'allow', 'tool = "t"\nargs.p = "x"'), {})).toBeUndefined();
  });
});

it('rules stand in columns, each with what became of it', () => {
  const text =
    RULE('long-name', 'allow', 'tool = "t"\nargs.p = "x"') + RULE('b', 'deny', 'tool = "t"') + RULE('c', 'deny', 'tool = "u"');
  const lines = rendered(text, { tool: 't' });
  expect(lines.slice(lines.indexOf('rules:'))).toEqual([
    'rules:',
    '  1  allow   long-name  p.toml:1  does not match',
    '       there is nothing at args.p',
    '  2  deny    b          p.toml:2  decides',
    '       tool "t" matches "t"',
    '  of 3 rules: 1 is about another tool',
    '',
  ]);
  expect(rendered(text, { tool: 't' }, { isAll: true }).at(-2)).toBe('  3  deny    c          p.toml:3  is about another tool');
});

it('there is colour where it is wanted, and nowhere else', () => {
  const call = { tool: 't' };
  expect(rendered('', call, {}, true)[0]).toContain('\u001b[31mdeny\u001b[39m');
  expect(rendered('', call).join('\n')).not.toContain('\u001b');
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Call } from '../../../src/core/call.ts';
import { decide } from '../../../src/core/decide/decide.ts';
import { compilePolicy, createRecompiler } from '../../../src/core/match/compile.ts';
import { createEquivalence } from '../../../src/policy-tools/mutate/create-equivalence.ts';
import { globSamples } from '../../../src/policy-tools/mutate/mutant.ts';
import { createMutants } from '../../../src/policy-tools/mutate/mutations.ts';
import { POSIX, policyFrom } from '../../support/policy.ts';
import { ROOT } from '../../support/run-cli.ts';

/** What of a policy's mutants nothing can tell from it. */
function equivalentsOf(text: string): readonly string[] {
  const policy = policyFrom(text);
  return createMutants(policy)
    .filter(createEquivalence(policy))
    .map(({ what }) => what);
}

const rule = (action: string, fields: string): string => `[[rule]]\naction = "${action}"\n${fields}\n`;

describe('what no call can tell from the policy', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'a star that crosses no slash where one stands before it',
      rule('deny', 'tool = "t"\nargs.x = "**/*.p12"'),
      ['rule 1: args.x with "**/**.p12" for "**/*.p12"'],
    ],
    [
      'a glob in a list that another covers',
      rule('deny', 'tool = ["a_*", "a_b*"]'),
      ['rule 1: tool without "a_b*"', 'rule 1: tool with "a_b" for "a_b*"'],
    ],
    ['neighbours for different tools', rule('deny', 'tool = "a"') + rule('prompt', 'tool = "b"'), ['rule 1 behind rule 2']],
    [
      'a rule that an earlier one never lets decide',
      rule('deny', 'tool = "**"') + rule('allow', 'tool = "a"'),
      [
        'without rule 2',
        'rule 2: action = "deny" for "allow"',
        'rule 2: action = "prompt" for "allow"',
        'rule 2: tool with "**"',
      ],
    ],
    ['a rule behind which the same is decided', rule('allow', 'tool = "a"') + rule('allow', 'tool = "**"'), ['without rule 1']],
    ['a rule that says what the default says', rule('deny', 'tool = "a"'), ['without rule 1']],
    [
      "what clawai's own guard denies before",
      rule('prompt', 'resource = ["**/.clawai", "**/b/**"]'),
      [
        'rule 1: resource without "**/.clawai"',
        'rule 1: resource with "*/.clawai" for "**/.clawai"',
        'rule 1: resource with ".clawai" for "**/.clawai"',
      ],
    ],
  ])('%s', (_case, text, expected) => {
    expect(equivalentsOf(text)).toEqual(expect.arrayContaining([...expected]));
  });
});

describe('what some call tells from it', () => {
  it.each([
    ['a rule with another action behind it', rule('deny', 'tool = "a"') + rule('allow', 'tool = "**"')],
    ['a rule with another default', `[defaults]\naction = "allow"\n${rule('deny', 'tool = "a"')}`],
    [
      'a path with a NUL byte, which the rule denies',
      rule('allow', 'tool = "a"\nargs.x = "/b/**"') + rule('allow', 'tool = "**"'),
    ],
    ["the agent's own tools, which have a default of their own", rule('deny', 'tool = "a"\nserver = "native"')],
    [
      'neighbours of which one denies reading what the other lets be listened to',
      rule('deny', 'resource = "x://**"') + rule('allow', 'method = "resources/subscribe"'),
    ],
    [
      'neighbours of which one allows a template that comes to what the other denies',
      rule('deny', 'resource = "x://a"') + rule('allow', 'resource = "x://{b}"\nmethod = "completion/complete"'),
    ],
    [
      'neighbours of which one denies a prompt that the other lets be completed',
      rule('deny', 'prompt = "p"\nargs.a = "1"') + rule('allow', 'method = "completion/*"'),
    ],
    ['neighbours that both match', rule('deny', 'tool = "a*"') + rule('allow', 'tool = "*a"')],
    ['such a path as an argument, which may be none', rule('prompt', 'tool = "t"\nargs.x = ["**/.clawai", "**/b/**"]')],
    [
      'a rule of an earlier one with an exception',
      rule('deny', 'tool = "**"\nunless.server = "s"') + rule('allow', 'tool = "a"'),
    ],
  ])('%s', (_case, text) => {
    expect(equivalentsOf(text).filter((what) => /^without|behind|clawai/.test(what))).toEqual([]);
  });
});

it.each(['default', 'strict', 'read-only'])(
  'of %s: whatever looks like the globs that differ is decided the same',
  { tags: 'long' },
  async (name) => {
    const policy = policyFrom(await readFile(join(ROOT, `policies/${name}.toml`), 'utf8'));
    const compiled = compilePolicy(policy);
    const recompile = createRecompiler(compiled);
    const equivalents = createMutants(policy).filter(createEquivalence(policy));
    expect(equivalents.length).toBeGreaterThan(10);
    for (const { policy: mutated, globs, what } of equivalents) {
      const changed = recompile(mutated);
      const { before = [], after = [] } = globs ?? {};
      const differing = [...before, ...after].filter((each) => before.includes(each) !== after.includes(each));
      const texts = differing.flatMap((pattern) => globSamples(pattern));
      const calls = texts.flatMap((text): readonly Call[] => [
        { method: 'tools/call', server: 's', tool: 'read_x', args: { x: text } },
        { method: 'tools/call', server: 's', tool: text },
        { method: 'resources/read', server: 's', resource: text },
      ]);
      const actionOf = (from: typeof compiled) => (call: Call) =>
        decide(call, { policy: from, paths: POSIX, realPaths: new Map() }).action;
      expect([what, ...calls.map(actionOf(changed))]).toEqual([what, ...calls.map(actionOf(compiled))]);
    }
  },
);

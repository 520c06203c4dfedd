import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { compilePolicy, createRecompiler } from '../../../src/core/match/compile.ts';
import { policyFrom } from '../../support/policy.ts';

function compile(text: string): ReturnType<typeof compilePolicy> {
  return compilePolicy(policyFrom(text));
}

describe('compilePolicy', () => {
  it('makes deny and prompt rules match what may be, allow rules what must be, and exceptions the other way round', () => {
    const { rules } = compile(
      ['deny', 'prompt', 'allow'].map((action) => `[[rule]]\naction = "${action}"\ntool = "x"\nunless.args.a = "b"\n`).join(''),
    );
    expect(rules.map(({ mode, unless }) => [mode, unless?.mode])).toEqual([
      ['possible', 'certain'],
      ['possible', 'certain'],
      ['certain', 'possible'],
    ]);
  });

  it('knows which rules are settled by names, and which need the disk', () => {
    const { rules } = compile(`
      [[rule]]
      action = "deny"
      tool = "a"
      server = "s"
      [[rule]]
      action = "deny"
      tool = "a"
      args.x = "plain*"
      [[rule]]
      action = "deny"
      tool = "a"
      args.x = "/etc/**"
      [[rule]]
      action = "deny"
      tool = "a"
      unless.args.x = { not = "/etc/**" }
      [[rule]]
      action = "deny"
      resource = "file:///etc/**"`);
    expect(rules.map(({ isSettled }) => isSettled)).toEqual([true, false, false, false, false]);
    expect(rules.map(({ readsPaths }) => readsPaths)).toEqual([false, false, true, true, true]);
  });

  it('makes one object of equal argument paths and puts path globs first', () => {
    const { rules } = compile(`
      [[rule]]
      action = "deny"
      tool = "a"
      args.size = 5
      args.a.path = "/etc/**"
      [[rule]]
      action = "deny"
      tool = "b"
      args.a.path = "x"`);
    expect(rules[0]?.args[0]?.path).toBe(rules[1]?.args[0]?.path);
    expect(rules[0]?.args.map(({ pathGlobs }) => pathGlobs.length)).toEqual([1, 0]);
  });

  it('refers to a rule as the policy does', () => {
    const text = '[[rule]]\naction = "deny"\ntool = "a"\nid = "i"\ndescription = "d"\nmessage = "m"';
    const { rules, hash, policy } = compile(text);
    const rule = { index: 0, action: 'deny', id: 'i', description: 'd', message: 'm' };
    expect(rules[0]?.decision).toEqual({ action: 'deny', reason: 'rule', rule, findings: [], policyHash: hash });
    expect(hash).toBe(createHash('sha256').update(policy.text).digest('hex'));
  });
});

describe('createRecompiler', () => {
  const RULE = '[[rule]]\naction = "deny"\ntool = "a"\nargs.x = "b"\n';
  const policy = policyFrom(RULE + RULE);
  const compiled = compilePolicy(policy);

  it('takes rules that are the same as they are, and compiles the others', () => {
    const [first, second] = policy.rules;
    const other = { ...second, action: 'prompt' as const, index: 1, args: second?.args ?? [] };
    const changed = createRecompiler(compiled)({ ...policy, rules: first === undefined ? [] : [first, other] });
    expect(changed.rules[0]).toBe(compiled.rules[0]);
    expect(changed.rules[1]).toMatchObject({ decision: { action: 'prompt', policyHash: compiled.hash }, mode: 'possible' });
    expect(changed.rules[1]?.args[0]?.path).toBe(compiled.rules[0]?.args[0]?.path);
    const call = { method: 'tools/call', server: 's', tool: 'a' };
    expect(changed.candidates(call).map(({ ref }) => ref.action)).toEqual(['deny', 'prompt']);
  });

  it('has the settings of the changed policy', () => {
    const serverPolicy = { mode: 'denylist' as const, allow: [], deny: ['evil'] };
    const changed = createRecompiler(compiled)({ ...policy, serverPolicy });
    expect([changed.deniesServer?.('evil'), changed.deniesServer?.('s'), compiled.deniesServer]).toEqual([
      true,
      false,
      undefined,
    ]);
  });
});

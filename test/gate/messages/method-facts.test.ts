import { describe, expect, it } from 'vitest';
import { compilePolicy, type CompiledPolicy } from '../../../src/core/match/compile.ts';
import { parsePolicy } from '../../../src/core/policy/parse.ts';
import { KnownMethods } from '../../../src/gate/messages/method-facts.ts';
import { testSetup } from '../../support/gate.ts';
import { fixedPolicy } from '../../support/policy.ts';

function policyOf(toml: string): CompiledPolicy {
  const parsed = parsePolicy(toml, { file: 'test.toml' });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed));
  return compilePolicy(parsed.policy);
}

describe('KnownMethods', () => {
  it.each([
    ['ping', { isPlain: true, mayBeDecided: false }],
    ['tools/call', { isPlain: false }],
    ['TOOLS/CALL', { isPlain: false, variant: 'tools/call' }],
    ['tools/list', { isPlain: false, declaring: { kind: 'tool', member: 'tools' } }],
    ['initialize', { isPlain: false, declaring: 'greeting' }],
    ['tasks/get', { isPlain: false }],
    ['vendor/unknown', { isPlain: false, mayBeDecided: true }],
  ])('%s', (method, facts) => {
    const known = new KnownMethods(testSetup(''));
    expect(known.factsOf(method)).toMatchObject(facts);
    expect(known.factsOf(method)).toBe(known.factsOf(method));
  });

  it('goes by the policy that decides now, and not by the method before', () => {
    const policy = fixedPolicy(policyOf(''));
    const known = new KnownMethods({ ...testSetup(''), policy });
    expect(known.factsOf('ping').isPlain).toBe(true);
    expect(known.factsOf('tools/call').isPlain).toBe(false);
    expect(known.factsOf('ping').isPlain).toBe(true);
    const strict = policyOf('[[rule]]\naction = "deny"\nmethod = "ping"\n');
    Object.assign(policy, { current: () => strict });
    expect(known.factsOf('ping')).toMatchObject({ isPlain: false, mayBeDecided: true });
  });

  it('knows long names, and does not keep them', () => {
    const known = new KnownMethods(testSetup(''));
    const long = 'x'.repeat(300);
    expect(known.factsOf(long)).not.toBe(known.factsOf(long));
    expect(known.factsOf(long)).toEqual(known.factsOf(long));
  });
});

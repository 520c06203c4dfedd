import { describe, expect, it } from 'vitest';

import { decide } from '../../src/core/decide.ts';
import { compilePolicy } from '../../src/core/policy/compile.ts';
import { decideBy, policyFrom, POSIX } from '../support/policy.ts';
import { registryFacts } from '../support/registry-facts.ts';

describe('decide', () => {
  it('denies everything by an empty policy', () => {
    for (const call of [{ tool: 't' }, { method: 'resources/read', resource: 'x://y' }, { method: 'prompts/get', prompt: 'p' }]) {
      expect(decideBy('', call)).toEqual({
        action: 'deny',
        reason: 'default',
        findings: [],
        policyHash: compilePolicy(policyFrom('')).hash,
      });
    }
  });

  it('follows the default action', () => {
    expect(decideBy('[defaults]\naction = "allow"', { tool: 't' })).toMatchObject({ action: 'allow', reason: 'default' });
    expect(decideBy('[defaults]\naction = "prompt"', { tool: 't' }).action).toBe('prompt');
  });

  it.each([
    ['ping', false, 'allow', 'default'],
    ['what/ever', true, 'deny', 'unknown_method'],
    ['sampling/createMessage', false, 'deny', 'default'],
  ])('%s, unknown: %s, is %s where unknown methods are denied', (method, isUnknownMethod, action, reason) => {
    const policy = '[defaults]\nunknown_methods = "deny"';
    expect(decideBy(policy, { method, isUnknownMethod })).toMatchObject({ action, reason });
  });

  it('lets every method that is no call pass by default, known or not', () => {
    for (const isUnknownMethod of [true, false]) {
      expect(decideBy('', { method: 'x/y', isUnknownMethod })).toMatchObject({ action: 'allow', reason: 'default' });
    }
  });

  it('holds rules about methods that are no calls', () => {
    const policy = '[[rule]]\naction = "prompt"\nmethod = "completion/*"';
    expect(decideBy(policy, { method: 'completion/complete' })).toMatchObject({ action: 'prompt', reason: 'rule' });
  });

  it('gives the same decision for the same call', () => {
    const text = '[[rule]]\naction = "deny"\ntool = "t"\nargs.path = "/etc/**"';
    const call = { tool: 't', args: { path: '/etc/x' } };
    expect(decideBy(text, call)).toEqual(decideBy(text, call));
  });
});

describe('the order of the guards', () => {
  const CHANGED = { registry: registryFacts({ status: 'changed' }) };
  const rule = (action: string): string => `[[rule]]\nid = "r"\naction = "${action}"\ntool = "t"\n`;
  const decided = (text: string): string => {
    const { action, reason } = decideBy(text, { tool: 't' }, CHANGED);
    return `${action} ${reason}`;
  };
  const NO_SERVERS = '[server_policy]\npolicy = "allowlist"\n';
  const ASK = '[pinning]\non_change = "prompt"\n';

  it.each([
    ['no rule about servers is needed for what a rule denies', rule('deny'), 'deny rule'],
    ['what a server may not be is denied before any rule', NO_SERVERS + rule('deny'), 'deny server_policy'],
    ['an allow by a rule skips no pin', rule('allow'), 'deny pinning'],
    ['a prompt is kept, and a later guard denies', rule('prompt'), 'deny pinning'],
    ['a later guard asks about what is allowed', ASK + rule('allow'), 'prompt pinning'],
    ['who is asked about a changed tool is asked about the call too', ASK + rule('prompt'), 'prompt pinning'],
    ['nobody is asked about what a rule denies', ASK + rule('deny'), 'deny rule'],
    ['a guard that only alerts leaves the prompt', `[pinning]\non_change = "alert"\n${rule('prompt')}`, 'prompt rule'],
    ['the default is a rule like any other', '[defaults]\naction = "prompt"', 'deny pinning'],
  ])('%s', (_name, text, expected) => {
    expect(decided(text)).toBe(expected);
  });

  it('what protects clawai comes first', () => {
    const text = NO_SERVERS + rule('allow');
    const call = { tool: 't', args: { command: 'clawai unwrap --all' } };
    expect(decideBy(text, call, CHANGED).reason).toBe('self');
  });

  it('a project can deny and ask, and no answer of its rules skips a pin', () => {
    const user = compilePolicy(policyFrom(ASK + rule('allow')), { project: policyFrom(rule('prompt')) });
    const call = { method: 'tools/call', server: 's', tool: 't' };
    const snapshot = { policy: user, paths: POSIX, realPaths: new Map<string, string>() };
    expect(decide(call, snapshot).rule?.source).toBe('project');
    expect(decide(call, { ...snapshot, ...CHANGED })).toMatchObject({ action: 'prompt', reason: 'pinning' });
  });
});

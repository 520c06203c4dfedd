import { describe, expect, it } from 'vitest';

import { compilePolicy } from '../../src/core/policy/compile.ts';
import { decideBy, policyFrom } from '../support/policy.ts';

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

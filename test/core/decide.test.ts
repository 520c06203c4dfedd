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

  it('follows unknown_methods where clawai does not review the method', () => {
    const call = { method: 'completion/complete' };
    expect(decideBy('', call).action).toBe('allow');
    expect(decideBy('[defaults]\nunknown_methods = "deny"', call).action).toBe('deny');
    expect(decideBy('[[rule]]\naction = "prompt"\nmethod = "completion/*"', call)).toMatchObject({
      action: 'prompt',
      reason: 'rule',
    });
  });

  it('gives the same decision for the same call', () => {
    const text = '[[rule]]\naction = "deny"\ntool = "t"\nargs.path = "/etc/**"';
    const call = { tool: 't', args: { path: '/etc/x' } };
    expect(decideBy(text, call)).toEqual(decideBy(text, call));
  });
});

import { describe, expect, it } from 'vitest';
import { decideBy } from '../../support/policy.ts';
import { registryFacts } from '../../support/registry-facts.ts';

const CHANGED = registryFacts({ status: 'changed' });

function decided(lines: string, registry = CHANGED, rest = '[defaults]\naction = "allow"\n'): string {
  const { action, reason } = decideBy(`${rest}[pinning]\n${lines}`, { tool: 't' }, { registry });
  return `${action} ${reason}`;
}

describe('[pinning]', () => {
  it.each([
    ['', 'deny pinning'],
    ['on_change = "deny"', 'deny pinning'],
    ['on_change = "hide"', 'deny pinning'],
    ['on_change = "prompt"', 'prompt pinning'],
    ['on_change = "alert"', 'allow default'],
    ['enabled = false', 'allow default'],
    ['enabled = false\ntrust_first_use = false', 'allow default'],
  ])('%j, a definition that changed: %s', (lines, expected) => {
    expect(decided(lines)).toBe(expected);
    expect(decided(lines, registryFacts({ isServerChanged: true }))).toBe(expected);
  });

  it.each([
    ['trust_first_use = false', 'deny pinning'],
    ['trust_first_use = false\non_change = "prompt"', 'prompt pinning'],
    ['trust_first_use = false\non_change = "alert"', 'allow default'],
    ['', 'allow default'],
  ])('%j, a definition that nobody approved: %s', (lines, expected) => {
    expect(decided(lines, registryFacts({ status: 'new' }))).toBe(expected);
    expect(decided(lines, registryFacts({ status: 'unlisted', fingerprint: undefined }))).toBe(expected);
    expect(decided(lines, registryFacts())).toBe('allow default');
  });

  it('says what is distrusted', () => {
    expect(decideBy('[[rule]]\naction = "allow"\ntool = "t"', { tool: 't' }, { registry: CHANGED })).toEqual({
      action: 'deny',
      reason: 'pinning',
      distrust: { what: 'changed', fingerprint: CHANGED.fingerprint },
      findings: [],
      policyHash: expect.any(String),
    });
  });
});

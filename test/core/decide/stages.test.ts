import { describe, expect, it } from 'vitest';
import type { Call } from '../../../src/core/call.ts';
import { decideBy } from '../../support/policy.ts';
import { registryFacts } from '../../support/registry-facts.ts';

const ALLOW = '[defaults]\naction = "allow"\nunknown_methods = "allow"\n';

function decided(lines: string, server: string, call: Partial<Call> = { tool: 't' }): string {
  const { action, reason } = decideBy(`${ALLOW}[server_policy]\n${lines}`, { server, ...call });
  return `${action} ${reason}`;
}

describe('[server_policy]', () => {
  it.each([
    ['policy = "none"\ndeny = ["a"]', 'a', 'allow default'],
    ['policy = "denylist"\ndeny = ["a*"]', 'ab', 'deny server_policy'],
    ['policy = "denylist"\ndeny = ["a*"]', 'b', 'allow default'],
    ['policy = "denylist"\ndeny = ["a*"]', 'AB', 'allow default'],
    ['policy = "denylist"', 'a', 'allow default'],
    ['policy = "allowlist"\nallow = ["a", "b?"]', 'a', 'allow default'],
    ['policy = "allowlist"\nallow = ["a", "b?"]', 'bc', 'allow default'],
    ['policy = "allowlist"\nallow = ["a", "b?"]', 'b', 'deny server_policy'],
    ['policy = "allowlist"', 'a', 'deny server_policy'],
    ['policy = "allowlist"\nallow = ["a*"]\ndeny = ["ab"]', 'ab', 'deny server_policy'],
    ['policy = "allowlist"\nallow = ["a*"]\ndeny = ["ab"]', 'ac', 'allow default'],
    ['policy = "allowlist"\nallow = ["*"]', 'a/b', 'deny server_policy'],
  ])('%j, server %s: %s', (lines, server, expected) => {
    expect(decided(lines, server)).toBe(expected);
  });

  it.each<[Partial<Call>, string]>([
    [{ method: 'resources/read', resource: 'x://y' }, 'deny server_policy'],
    [{ method: 'prompts/get', prompt: 'p' }, 'deny server_policy'],
    [{ method: 'sampling/createMessage' }, 'deny server_policy'],
    [{ method: 'elicitation/create' }, 'deny server_policy'],
    [
      { method: 'resources/subscribe', resource: 'x://y', like: { method: 'resources/read', server: 'a', resource: 'x://y' } },
      'deny server_policy',
    ],
    [{ method: 'what/ever', isUnknownMethod: true }, 'deny server_policy'],
    [{ method: 'initialize' }, 'allow default'],
    [{ method: 'ping' }, 'allow default'],
  ])('%j of a server that there may not be: %s', (call, expected) => {
    expect(decided('policy = "allowlist"', 'a', call)).toBe(expected);
  });

  it('no rule allows what it denies', () => {
    const rule = '[[rule]]\naction = "allow"\ntool = "**"';
    expect(decided(`policy = "denylist"\ndeny = ["a"]\n${rule}`, 'a')).toBe('deny server_policy');
  });
});

describe('unknown_server', () => {
  const text = '[defaults]\naction = "allow"\nunknown_server = "deny"';

  it('denies tools that the server never listed', () => {
    const registry = registryFacts({ status: 'unlisted', fingerprint: undefined });
    expect(decideBy(text, { tool: 't' }, { registry })).toMatchObject({
      action: 'deny',
      reason: 'server_policy',
      distrust: { what: 'unlisted' },
    });
    expect(decideBy('[defaults]\naction = "allow"', { tool: 't' }, { registry }).action).toBe('allow');
    // Most resources come from a template and are in no list.
    expect(decideBy(text, { method: 'resources/read', resource: 'x://y' }, { registry }).action).toBe('allow');
  });

  it('lets pass what is listed, and what nothing is known of', () => {
    expect(decideBy(text, { tool: 't' }, { registry: registryFacts() }).action).toBe('allow');
    expect(decideBy(text, { tool: 't' }).action).toBe('allow');
  });
});

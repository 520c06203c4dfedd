import { describe, expect, it } from 'vitest';
import { policyErrors } from '../../support/policy-errors.ts';
import { policyFrom } from '../../support/policy.ts';

describe('[server_policy]', () => {
  it.each([
    ['', { mode: 'none', allow: [], deny: [] }],
    ['[server_policy]', { mode: 'none', allow: [], deny: [] }],
    ['[server_policy]\npolicy = "allowlist"', { mode: 'allowlist', allow: [], deny: [] }],
    ['[server_policy]\npolicy = "denylist"\ndeny = ["x*"]', { mode: 'denylist', allow: [], deny: ['x*'] }],
    ['[server_policy]\npolicy = "allowlist"\nallow = ["a"]\ndeny = ["a"]', { mode: 'allowlist', allow: ['a'], deny: ['a'] }],
    ['[server_policy]\npolicy = "none"\ndeny = ["a"]', { mode: 'none', allow: [], deny: ['a'] }],
  ])('%j', (text, expected) => {
    expect(policyFrom(text).serverPolicy).toEqual(expected);
  });

  it.each([
    ['server_policy = 1', /^server_policy: server_policy must be a table/],
    ['[server_policy]\npolcy = "none"', /^server_policy.polcy: unknown key "polcy"/],
    ['[server_policy]\npolicy = "whitelist"', /^server_policy.policy: unknown server policy "whitelist"/],
    ['[server_policy]\npolicy = true', /^server_policy.policy: .*must be "allowlist", "denylist" or "none"/],
    ['[server_policy]\npolicy = "allowlist"\nallow = "github"', /^server_policy.allow: .*must be a list of globs/],
    ['[server_policy]\npolicy = "allowlist"\nallow = [1]', /^server_policy.allow.0: /],
    ['[server_policy]\npolicy = "denylist"\ndeny = [""]', /^server_policy.deny.0: an empty glob/],
    ['[server_policy]\ndeny = ["x"]', /^server_policy.deny: "deny" has no effect without a policy/],
    ['[server_policy]\nallow = []', /^server_policy.allow: "allow" has no effect without a policy/],
  ])('%j is refused', (text, message) => {
    expect(policyErrors(text)).toEqual([expect.stringMatching(message)]);
  });
});

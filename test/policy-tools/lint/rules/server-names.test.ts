import { describe, expect, it } from 'vitest';

import { lintsOf } from '../../../support/lints-of.ts';

describe('server-list', () => {
  it.each([
    '[server_policy]; policy = "none"; allow = ["a"]',
    '[server_policy]; policy = "denylist"; allow = ["a"]; deny = ["b"]',
    '[server_policy]; policy = "allowlist"',
    '[server_policy]; policy = "allowlist"; allow = ["a"]; deny = ["*"]',
  ])('finds something in: %s', (lines) => {
    expect(lintsOf('server-list', lines)).not.toEqual([]);
  });

  it.each([
    '[server_policy]; policy = "allowlist"; allow = ["a*"]; deny = ["ab"]',
    '[server_policy]; policy = "denylist"; deny = ["b"]',
  ])('has nothing against: %s', (lines) => {
    expect(lintsOf('server-list', lines)).toEqual([]);
  });
});

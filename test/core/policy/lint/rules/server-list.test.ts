import { describe } from 'vitest';

import { testLint } from '../lint-tester.ts';

describe('server-list', () => {
  testLint('server-list', {
    hit: [
      '[server_policy]; policy = "none"; allow = ["a"]',
      '[server_policy]; policy = "denylist"; allow = ["a"]; deny = ["b"]',
      '[server_policy]; policy = "allowlist"',
      '[server_policy]; policy = "allowlist"; allow = ["a"]; deny = ["*"]',
    ],
    miss: [
      '[server_policy]; policy = "allowlist"; allow = ["a*"]; deny = ["ab"]',
      '[server_policy]; policy = "denylist"; deny = ["b"]',
    ],
  });
});

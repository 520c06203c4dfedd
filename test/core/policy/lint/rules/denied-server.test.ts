import { describe } from 'vitest';

import { testLint } from '../lint-tester.ts';

describe('denied-server', () => {
  testLint('denied-server', {
    hit: [
      '[server_policy]; policy = "denylist"; deny = ["x*"]\nallow; tool = "a"; server = "xy"',
      '[server_policy]; policy = "allowlist"; allow = ["files"]\nallow; tool = "a"; server = "mail"',
    ],
    miss: [
      '[server_policy]; policy = "denylist"; deny = ["x*"]\nallow; tool = "a"; server = ["xy", "y"]',
      '[server_policy]; policy = "allowlist"; allow = ["files"]\ndeny; tool = "Bash"; server = "native"',
      'allow; tool = "a"; server = "mail"',
    ],
  });
});

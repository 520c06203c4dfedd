import { describe } from 'vitest';

import { testLint } from '../lint-tester.ts';

describe('inactive-guard', () => {
  testLint('inactive-guard', {
    hit: [
      '[flow]; enabled = false; burst = { max_calls = 3 }',
      '[detection]; enabled = false; threshold = "low"',
      '[flow]; burst = { enabled = false, max_calls = 3 }',
    ],
    miss: ['[flow]; enabled = false', '[flow]; burst = { max_calls = 3 }', '[pinning]; on_change = "alert"'],
  });
});

import { describe } from 'vitest';

import { testLint } from '../lint-tester.ts';

describe('contradictory-rule', () => {
  testLint('contradictory-rule', {
    hit: ['allow; tool = "a"\ndeny; tool = "a"', 'deny; tool = ["a", "b"]\nprompt; tool = ["b", "a"]'],
    miss: ['allow; tool = "a"\nallow; tool = "a"', 'allow; tool = "a"\ndeny; tool = "ab"'],
  });
});

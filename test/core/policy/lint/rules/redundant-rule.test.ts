import { describe } from 'vitest';

import { testLint } from '../lint-tester.ts';

describe('redundant-rule', () => {
  testLint('redundant-rule', {
    hit: ['[defaults]; action = "allow"\nallow; tool = "a"', 'allow; tool = "a"\nallow; tool = "*"'],
    miss: [
      '[defaults]; action = "allow"\nallow; tool = "a"; description = "so that nobody forgets"',
      '[defaults]; action = "allow"\nallow; tool = "a"\ndeny; tool = "*"',
      '[defaults]; action = "deny"\ndeny; tool = "a"',
      '[defaults]; action = "deny"\ndeny; tool = "a"\nallow; tool = "*"',
      'allow; tool = "a"\ndeny; tool = "a*"\nallow; tool = "*"',
      '[defaults]; action = "deny"\ndeny; tool = "Bash"; server = "native"',
    ],
  });
});

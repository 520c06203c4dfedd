import { describe } from 'vitest';

import { testLint } from '../lint-tester.ts';

describe('undescribed-prompt', () => {
  testLint('undescribed-prompt', {
    hit: ['prompt; tool = "a"', 'prompt; tool = "a"; description = " "'],
    miss: ['prompt; tool = "a"; description = "so"', 'deny; tool = "a"'],
  });
});

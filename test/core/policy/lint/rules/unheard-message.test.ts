import { describe } from 'vitest';

import { testLint } from '../lint-tester.ts';

describe('unheard-message', () => {
  testLint('unheard-message', {
    hit: ['allow; tool = "a"; message = "hello"'],
    miss: ['deny; tool = "a"; message = "hello"', 'allow; tool = "a"; description = "hello"'],
  });
});

import { describe } from 'vitest';

import { testLint } from '../lint-tester.ts';

describe('useless-exception', () => {
  testLint('useless-exception', {
    hit: ['deny; tool = "a"; unless.tool = "b"', 'deny; tool = "a"; server = "x"; unless.server = "y"'],
    miss: ['deny; tool = "a*"; unless.tool = "ab"', 'deny; tool = "a"; unless.args.x = "1"'],
  });
});

import { describe } from 'vitest';

import { testLint } from '../lint-tester.ts';

describe('foreign-glob', () => {
  testLint('foreign-glob', {
    hit: [
      'deny; tool = "{read,write}_*"',
      'deny; tool = "a"; args.x = "/log[0-9]"',
      'deny; tool = "!rm"',
      'deny; tool = "a"; args.n = "> 100"',
    ],
    miss: ['deny; tool = "a"; args.path = "/app/[id]/page"', 'deny; tool = "a"; args.x = "{}"', 'deny; tool = { not = "rm" }'],
  });
});

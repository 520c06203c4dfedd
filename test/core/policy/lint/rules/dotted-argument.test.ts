import { describe } from 'vitest';

import { testLint } from '../lint-tester.ts';

describe('dotted-argument', () => {
  testLint('dotted-argument', {
    hit: ['deny; tool = "a"; args."a.b" = "1"'],
    miss: ['deny; tool = "a"; args.a.b = "1"', 'deny; tool = "a"; args."/a.b" = "1"', 'deny; tool = "a"; args."**" = "a.b"'],
  });
});

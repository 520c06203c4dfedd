import { describe } from 'vitest';

import { testLint } from '../lint-tester.ts';

describe('home-of-other', () => {
  testLint('home-of-other', {
    hit: ['deny; tool = "a"; args.path = "~bob/**"'],
    miss: ['deny; tool = "a"; args.path = "~/bob/**"', 'deny; tool = "a"; args.path = "~*"', 'deny; tool = "~bob/x"'],
  });
});

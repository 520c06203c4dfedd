import { describe } from 'vitest';

import { testLint } from '../lint-tester.ts';

describe('list-in-text', () => {
  testLint('list-in-text', {
    hit: ['deny; tool = "read, write"', 'deny; server = "a|b"; tool = "x"'],
    miss: ['deny; tool = ["read", "write"]', 'deny; tool = "a"; args.x = "a,b"', 'deny; server = "My Files"; tool = "x"'],
  });
});

import { describe } from 'vitest';

import { testLint } from '../lint-tester.ts';

describe('repeated-pattern', () => {
  testLint('repeated-pattern', {
    hit: ['deny; tool = ["a", "a"]', 'deny; tool = ["a*", "ab"]', 'deny; tool = "a"; args.x = ["/etc/**", "/etc/**"]'],
    miss: ['deny; tool = ["a*", "b*"]', 'deny; tool = "a"; args.x = ["/etc/**", "/etc/ssl/**"]', 'deny; tool = ["a*", "*a"]'],
  });
});

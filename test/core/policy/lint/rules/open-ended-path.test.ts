import { describe } from 'vitest';

import { testLint } from '../lint-tester.ts';

describe('open-ended-path', () => {
  testLint('open-ended-path', {
    hit: [
      'allow; tool = "a"; args.path = "/home/user/project**"',
      'deny; tool = "a"; unless.args.path = "/home/user/p**"',
      'deny; tool = "a"; args.path = { not = "/tmp**" }',
    ],
    miss: [
      'allow; tool = "a"; args.path = "/home/user/project/**"',
      'deny; tool = "a"; args.path = "/home/user/project**"',
      'allow; tool = "a**"',
    ],
  });
});

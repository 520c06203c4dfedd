import { describe } from 'vitest';

import { testLint } from '../lint-tester.ts';

describe('folder-slash', () => {
  testLint('folder-slash', {
    hit: ['deny; tool = "a"; args.path = "/home/user/"', 'allow; tool = "a"; args.path = "~/x/"'],
    miss: [
      'deny; tool = "a"; args.path = "/home/user"',
      'deny; tool = "a"; args.path = "/"',
      'deny; tool = "a"; args.path = "/home/**/"',
      'deny; tool = "a"; args.url = "https://x.example/"',
    ],
  });
});

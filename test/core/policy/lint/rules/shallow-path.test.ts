import { describe } from 'vitest';

import { testLint } from '../lint-tester.ts';

describe('shallow-path', () => {
  testLint('shallow-path', {
    hit: ['deny; tool = "a"; args.path = "/etc/*"', 'prompt; resource = "file:///etc/*"'],
    miss: [
      'deny; tool = "a"; args.path = "/etc/**"',
      'deny; tool = "a"; args.path = ["/etc/*", "/etc/**"]',
      'allow; tool = "a"; args.path = "/etc/*"',
      'deny; tool = "a"; unless.args.path = "/etc/*"',
    ],
  });
});

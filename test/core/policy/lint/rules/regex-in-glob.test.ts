import { describe } from 'vitest';

import { testLint } from '../lint-tester.ts';

describe('regex-in-glob', () => {
  testLint('regex-in-glob', {
    hit: [
      'deny; tool = "^rm$"',
      'deny; tool = ".*delete.*"',
      'deny; tool = "(read|write)_x"',
      'deny; tool = "a"; args.x = "^/etc/"',
    ],
    miss: [
      'deny; tool = "github.*"',
      'deny; tool = "a"; args.path = "~/.*"',
      'deny; tool = "a"; args.path = "/var/log/x.*"',
      'deny; tool = "a"; args.path = "C:\\\\\\\\dir"',
      'deny; tool = { regex = "^rm$" }',
      'deny; tool = "a"; args.q = { equals = "^x" }',
    ],
  });
});

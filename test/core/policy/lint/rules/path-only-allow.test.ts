import { describe } from 'vitest';

import { testLint } from '../lint-tester.ts';

describe('path-only-allow', () => {
  testLint('path-only-allow', {
    hit: [
      'allow; tool = "*"; args.path = "/home/user/project/**"',
      'allow; method = "tools/call"; args.path = "/home/**"',
      'allow; tool = "**"; args.path = "/home/user/project/**"',
      'allow; tool = ["*", "**"]; args."**" = "~/x/**"',
    ],
    miss: [
      'allow; tool = "read_*"; args.path = "/home/**"',
      'allow; tool = "**"; server = "files"; args.path = "/home/**"',
      'allow; tool = "**"; category = "read"; args.path = "/home/**"',
      'deny; tool = "**"; args.path = "/home/**"',
      'allow; tool = "**"; args.n = 1',
    ],
  });
});

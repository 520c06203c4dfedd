import { describe } from 'vitest';

import { testLint } from '../lint-tester.ts';

describe('odd-server-name', () => {
  testLint('odd-server-name', {
    hit: [
      'deny; tool = "a"; server = "https://x.example/mcp"',
      'deny; tool = "a"; server = "npx -y thing"',
      '[server_policy]; policy = "denylist"; deny = ["./server.js"]',
    ],
    miss: [
      'deny; tool = "a"; server = "github"',
      'deny; tool = "a"; server = "io.github.x/files"',
      'deny; tool = "a"; server = "*"',
    ],
  });
});

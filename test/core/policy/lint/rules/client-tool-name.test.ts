import { describe } from 'vitest';

import { testLint } from '../lint-tester.ts';

describe('client-tool-name', () => {
  testLint('client-tool-name', {
    hit: [
      'deny; tool = "mcp__github__create_issue"',
      'deny; tool = "github__create"; server = "github"',
      'deny; tool = "mcp__*"',
    ],
    miss: ['deny; tool = "create__issue"', 'deny; tool = "x__y"; server = "github"'],
  });
});

import { describe, expect, it } from 'vitest';

import { lintsOf } from '../../../support/lints-of.ts';

describe('odd-server-name', () => {
  it.each([
    'deny; tool = "a"; server = "https://x.example/mcp"',
    'deny; tool = "a"; server = "npx -y thing"',
    '[server_policy]; policy = "denylist"; deny = ["./server.js"]',
  ])('finds something in: %s', (lines) => {
    expect(lintsOf('odd-server-name', lines)).not.toEqual([]);
  });

  it.each([
    'deny; tool = "a"; server = "github"',
    'deny; tool = "a"; server = "io.github.x/files"',
    'deny; tool = "a"; server = "*"',
  ])('has nothing against: %s', (lines) => {
    expect(lintsOf('odd-server-name', lines)).toEqual([]);
  });
});

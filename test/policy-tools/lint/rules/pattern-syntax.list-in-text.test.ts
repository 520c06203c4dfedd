import { describe, expect, it } from 'vitest';

import { lintsOf } from '../../../support/lints-of.ts';

describe('list-in-text', () => {
  it.each([
    'deny; tool = "read, write"',
    'deny; server = "a|b"; tool = "x"',
    'deny; tool = "a"; args.path = "/etc/**|/usr/**"',
    'deny; tool = "a"; args.branch = "main|master"',
  ])('finds something in: %s', (lines) => {
    expect(lintsOf('list-in-text', lines)).not.toEqual([]);
  });

  it.each([
    'deny; tool = ["read", "write"]',
    'deny; tool = "a"; args.x = "a,b"',
    'deny; tool = "run"; args.command = "**|sh"',
    'deny; tool = "run"; args.command = "curl **|**sh"',
    'deny; server = "My Files"; tool = "x"',
  ])('has nothing against: %s', (lines) => {
    expect(lintsOf('list-in-text', lines)).toEqual([]);
  });
});

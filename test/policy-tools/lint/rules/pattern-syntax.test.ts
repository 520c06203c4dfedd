import { describe, expect, it } from 'vitest';

import { lintsOf } from '../../../support/lints-of.ts';

describe('regex-in-glob', () => {
  it.each([
    'deny; tool = "^rm$"',
    'deny; tool = ".*delete.*"',
    'deny; tool = "(read|write)_x"',
    'deny; tool = "delete_.*"',
    'prompt; tool = "get.*user"',
    'deny; server = "git+"; tool = "a"',
    'deny; tool = "a"; args.x = "^/etc/"',
    "deny; tool = 'a'; args.path = '.*\\.env'",
  ])('finds something in: %s', (lines) => {
    expect(lintsOf('regex-in-glob', lines)).not.toEqual([]);
  });

  it.each([
    'deny; tool = "github.*"',
    'deny; tool = "db.*.read"',
    'deny; tool = "a"; args.q = "c++"',
    'deny; tool = "a"; args.path = "~/.*"',
    'deny; tool = "a"; args.path = "/var/log/x.*"',
    'deny; tool = "a"; args.path = "C:\\\\\\\\dir"',
    "deny; tool = 'a'; args.path = '**\\.ssh\\**'",
    'deny; tool = { regex = "^rm$" }',
    'deny; tool = "a"; args.q = { equals = "^x" }',
  ])('has nothing against: %s', (lines) => {
    expect(lintsOf('regex-in-glob', lines)).toEqual([]);
  });
});

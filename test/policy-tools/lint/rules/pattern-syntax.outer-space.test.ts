import { describe, expect, it } from 'vitest';

import { lintsOf } from '../../../support/lints-of.ts';

describe('outer-space', () => {
  it.each([
    'deny; tool = "read "',
    'deny; tool = "read\\u200b"',
    'deny; server = " files"; tool = "a"',
    'deny; tool = "a"; args.path = "/etc/** "',
    'deny; tool = "a"; args." path" = "x"',
    '[server_policy]; policy = "denylist"; deny = ["evil "]',
    '[classify]; send = [" post"]',
  ])('finds something in: %s', (lines) => {
    expect(lintsOf('outer-space', lines)).not.toEqual([]);
  });

  it.each([
    'deny; server = "My Files"; tool = "a"',
    'deny; tool = "a"; args.text = " hello "',
    'deny; tool = "run"; args.command = "** /etc/**"',
    'deny; tool = "a"; args.text = " "',
  ])('has nothing against: %s', (lines) => {
    expect(lintsOf('outer-space', lines)).toEqual([]);
  });
});

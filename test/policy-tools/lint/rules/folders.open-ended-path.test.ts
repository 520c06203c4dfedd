import { describe, expect, it } from 'vitest';

import { lintsOf } from '../../../support/lints-of.ts';

describe('open-ended-path', () => {
  it.each([
    'allow; tool = "a"; args.path = "/home/user/project**"',
    'deny; tool = "a"; unless.args.path = "/home/user/p**"',
    'deny; tool = "a"; args.path = { not = "/tmp**" }',
  ])('finds something in: %s', (lines) => {
    expect(lintsOf('open-ended-path', lines)).not.toEqual([]);
  });

  it.each([
    'allow; tool = "a"; args.path = "/home/user/project/**"',
    'deny; tool = "a"; args.path = "/home/user/project**"',
    'allow; tool = "a**"',
  ])('has nothing against: %s', (lines) => {
    expect(lintsOf('open-ended-path', lines)).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';

import { lintsOf } from '../../../support/lints-of.ts';

describe('impossible-rule', () => {
  it.each([
    'deny; tool = "a"; args.n = { gt = 5, lt = 3 }',
    'deny; tool = "a"; args.n = { equals = "x", not = "x*" }',
    'deny; tool = { equals = "a", not = "a" }',
    'deny; tool = "a"; method = "resources/read"',
    'deny; method = "resources/read"; args.path = "x"',
    'deny; tool = "a"; unless.tool = "a*"',
    'deny; tool = "a"; args.n = { exists = false, equals = "x" }',
    'allow; tool = "a"; args.n = { not = "**" }',
    'allow; tool = "a"; args.n = { gt = 5, not = { gt = 3 } }',
  ])('finds something in: %s', (lines) => {
    expect(lintsOf('impossible-rule', lines)).not.toEqual([]);
  });

  it.each([
    'deny; tool = "a"; args.n = { gt = 3, lt = 5 }',
    'deny; tool = "a"; args.n = { exists = false }',
    'deny; resource = "file:///a"; method = "resources/subscribe"',
    'deny; method = "completion/complete"; args.x = "1"',
    'deny; tool = "a*"; unless.tool = "ab"',
    'deny; tool = "a"; args.n = "1"; unless.args.n = "1"',
  ])('has nothing against: %s', (lines) => {
    expect(lintsOf('impossible-rule', lines)).toEqual([]);
  });
});

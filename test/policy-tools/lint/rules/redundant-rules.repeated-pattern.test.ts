import { describe, expect, it } from 'vitest';

import { lintsOf } from '../../../support/lints-of.ts';

describe('repeated-pattern', () => {
  it.each([
    'deny; tool = ["a", "a"]',
    'deny; tool = ["a*", "ab"]',
    'deny; tool = "a"; server = ["native", "native"]',
    'deny; tool = "a"; args.x = ["/etc/**", "/etc/**"]',
  ])('finds something in: %s', (lines) => {
    expect(lintsOf('repeated-pattern', lines)).not.toEqual([]);
  });

  it.each([
    'deny; tool = ["a*", "b*"]',
    'deny; tool = "a"; args.x = ["/etc/**", "/etc/ssl/**"]',
    'deny; tool = ["a*", "*a"]',
    'deny; tool = "a"; server = ["**", "native"]',
  ])('has nothing against: %s', (lines) => {
    expect(lintsOf('repeated-pattern', lines)).toEqual([]);
  });
});

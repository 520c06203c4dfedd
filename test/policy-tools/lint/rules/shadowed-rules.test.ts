import { describe, expect, it } from 'vitest';

import { lintsOf } from '../../../support/lints-of.ts';

describe('shadowed-rule', () => {
  it.each([
    'deny; tool = "a*"\ndeny; tool = "ab"',
    'allow; tool = "**"\ndeny; tool = "x"; args.p = "/etc/**"',
    'deny; tool = "a"; args.p = "/etc/**"\nprompt; tool = "a"; args.p = "/etc/ssl/**"',
    'deny; tool = "a*"\nprompt; tool = "b*"\nallow; tool = ["a1", "b1"]',
    'deny; tool = { not = "a" }\nprompt; tool = "b"',
  ])('finds something in: %s', (lines) => {
    expect(lintsOf('shadowed-rule', lines)).not.toEqual([]);
  });

  it.each([
    'deny; tool = "ab"\ndeny; tool = "a*"',
    'allow; tool = "a"; args.p = "1"\ndeny; tool = "a"; args.p = "1"',
    'allow; tool = "**"\ndeny; tool = "Bash"; server = "native"',
    'deny; tool = "a*"\nallow; tool = ["a1", "b1"]',
    'deny; tool = "a"; unless.args.p = "x"\nallow; tool = "a"',
  ])('has nothing against: %s', (lines) => {
    expect(lintsOf('shadowed-rule', lines)).toEqual([]);
  });
});

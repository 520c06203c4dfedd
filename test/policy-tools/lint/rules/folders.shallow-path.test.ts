import { describe, expect, it } from 'vitest';

import { lintsOf } from '../../../support/lints-of.ts';

describe('shallow-path', () => {
  it.each(['deny; tool = "a"; args.path = "/etc/*"', 'prompt; resource = "file:///etc/*"'])('finds something in: %s', (lines) => {
    expect(lintsOf('shallow-path', lines)).not.toEqual([]);
  });

  it.each([
    'deny; tool = "a"; args.path = "/etc/**"',
    'deny; tool = "a"; args.path = ["/etc/*", "/etc/**"]',
    'allow; tool = "a"; args.path = "/etc/*"',
    'deny; tool = "a"; unless.args.path = "/etc/*"',
  ])('has nothing against: %s', (lines) => {
    expect(lintsOf('shallow-path', lines)).toEqual([]);
  });
});

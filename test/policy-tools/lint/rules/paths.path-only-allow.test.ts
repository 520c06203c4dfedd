import { describe, expect, it } from 'vitest';

import { lintsOf } from '../../../support/lints-of.ts';

describe('path-only-allow', () => {
  it.each([
    'allow; tool = "*"; args.path = "/home/user/project/**"',
    'allow; method = "tools/call"; args.path = "/home/**"',
    'allow; tool = "**"; args.path = "/home/user/project/**"',
    'allow; tool = ["*", "**"]; args."**" = "~/x/**"',
  ])('finds something in: %s', (lines) => {
    expect(lintsOf('path-only-allow', lines)).not.toEqual([]);
  });

  it.each([
    'allow; tool = "read_*"; args.path = "/home/**"',
    'allow; tool = "**"; server = "files"; args.path = "/home/**"',
    'allow; tool = "**"; category = "read"; args.path = "/home/**"',
    'deny; tool = "**"; args.path = "/home/**"',
    'allow; tool = "**"; args.n = 1',
  ])('has nothing against: %s', (lines) => {
    expect(lintsOf('path-only-allow', lines)).toEqual([]);
  });
});

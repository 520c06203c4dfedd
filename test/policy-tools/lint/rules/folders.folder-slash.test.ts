import { describe, expect, it } from 'vitest';

import { lintsOf } from '../../../support/lints-of.ts';

describe('folder-slash', () => {
  it.each(['deny; tool = "a"; args.path = "/home/user/"', 'allow; tool = "a"; args.path = "~/x/"'])(
    'finds something in: %s',
    (lines) => {
      expect(lintsOf('folder-slash', lines)).not.toEqual([]);
    },
  );

  it.each([
    'deny; tool = "a"; args.path = "/home/user"',
    'deny; tool = "a"; args.path = "/"',
    'deny; tool = "a"; args.path = "/home/**/"',
    'deny; tool = "a"; args.url = "https://x.example/"',
  ])('has nothing against: %s', (lines) => {
    expect(lintsOf('folder-slash', lines)).toEqual([]);
  });
});

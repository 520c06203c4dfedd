import { describe, expect, it } from 'vitest';

import { lintsOf } from '../../../support/lints-of.ts';

describe('foreign-glob', () => {
  it.each([
    'deny; tool = "{read,write}_*"',
    'deny; tool = "a"; args.x = "/log[0-9]"',
    'deny; tool = "!rm"',
    'deny; tool = "a"; args.n = "> 100"',
  ])('finds something in: %s', (lines) => {
    expect(lintsOf('foreign-glob', lines)).not.toEqual([]);
  });

  it.each(['deny; tool = "a"; args.path = "/app/[id]/page"', 'deny; tool = "a"; args.x = "{}"', 'deny; tool = { not = "rm" }'])(
    'has nothing against: %s',
    (lines) => {
      expect(lintsOf('foreign-glob', lines)).toEqual([]);
    },
  );
});

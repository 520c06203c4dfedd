import { describe, expect, it } from 'vitest';

import { lintsOf } from '../../../support/lints-of.ts';

describe('useless-exception', () => {
  it.each(['deny; tool = "a"; unless.tool = "b"', 'deny; tool = "a"; server = "x"; unless.server = "y"'])(
    'finds something in: %s',
    (lines) => {
      expect(lintsOf('useless-exception', lines)).not.toEqual([]);
    },
  );

  it.each(['deny; tool = "a*"; unless.tool = "ab"', 'deny; tool = "a"; unless.args.x = "1"'])(
    'has nothing against: %s',
    (lines) => {
      expect(lintsOf('useless-exception', lines)).toEqual([]);
    },
  );
});

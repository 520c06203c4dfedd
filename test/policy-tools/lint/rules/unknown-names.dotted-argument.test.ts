import { describe, expect, it } from 'vitest';

import { lintsOf } from '../../../support/lints-of.ts';

describe('dotted-argument', () => {
  it.each(['deny; tool = "a"; args."a.b" = "1"'])('finds something in: %s', (lines) => {
    expect(lintsOf('dotted-argument', lines)).not.toEqual([]);
  });

  it.each(['deny; tool = "a"; args.a.b = "1"', 'deny; tool = "a"; args."/a.b" = "1"', 'deny; tool = "a"; args."**" = "a.b"'])(
    'has nothing against: %s',
    (lines) => {
      expect(lintsOf('dotted-argument', lines)).toEqual([]);
    },
  );
});

import { describe, expect, it } from 'vitest';

import { lintsOf } from '../../../support/lints-of.ts';

describe('home-of-other', () => {
  it.each(['deny; tool = "a"; args.path = "~bob/**"'])('finds something in: %s', (lines) => {
    expect(lintsOf('home-of-other', lines)).not.toEqual([]);
  });

  it.each(['deny; tool = "a"; args.path = "~/bob/**"', 'deny; tool = "a"; args.path = "~*"', 'deny; tool = "~bob/x"'])(
    'has nothing against: %s',
    (lines) => {
      expect(lintsOf('home-of-other', lines)).toEqual([]);
    },
  );
});

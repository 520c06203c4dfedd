import { describe, expect, it } from 'vitest';

import { lintsOf } from '../../../support/lints-of.ts';

describe('unheard-message', () => {
  it.each(['allow; tool = "a"; message = "hello"'])('finds something in: %s', (lines) => {
    expect(lintsOf('unheard-message', lines)).not.toEqual([]);
  });

  it.each(['deny; tool = "a"; message = "hello"', 'allow; tool = "a"; description = "hello"'])(
    'has nothing against: %s',
    (lines) => {
      expect(lintsOf('unheard-message', lines)).toEqual([]);
    },
  );
});

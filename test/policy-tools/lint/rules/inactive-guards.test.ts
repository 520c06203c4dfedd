import { describe, expect, it } from 'vitest';

import { lintsOf } from '../../../support/lints-of.ts';

describe('inactive-guard', () => {
  it.each([
    '[flow]; enabled = false; burst = { max_calls = 3 }',
    '[detection]; enabled = false; threshold = "low"',
    '[flow]; burst = { enabled = false, max_calls = 3 }',
  ])('finds something in: %s', (lines) => {
    expect(lintsOf('inactive-guard', lines)).not.toEqual([]);
  });

  it.each(['[flow]; enabled = false', '[flow]; burst = { max_calls = 3 }', '[pinning]; on_change = "alert"'])(
    'has nothing against: %s',
    (lines) => {
      expect(lintsOf('inactive-guard', lines)).toEqual([]);
    },
  );
});

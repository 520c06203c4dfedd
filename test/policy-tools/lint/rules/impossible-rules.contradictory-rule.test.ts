import { describe, expect, it } from 'vitest';

import { lintsOf } from '../../../support/lints-of.ts';

describe('contradictory-rule', () => {
  it.each(['allow; tool = "a"\ndeny; tool = "a"', 'deny; tool = ["a", "b"]\nprompt; tool = ["b", "a"]'])(
    'finds something in: %s',
    (lines) => {
      expect(lintsOf('contradictory-rule', lines)).not.toEqual([]);
    },
  );

  it.each(['allow; tool = "a"\nallow; tool = "a"', 'allow; tool = "a"\ndeny; tool = "ab"'])(
    'has nothing against: %s',
    (lines) => {
      expect(lintsOf('contradictory-rule', lines)).toEqual([]);
    },
  );
});

import { describe, expect, it } from 'vitest';

import { lintsOf } from '../../../support/lints-of.ts';

describe('undescribed-prompt', () => {
  it.each(['prompt; tool = "a"', 'prompt; tool = "a"; description = " "'])('finds something in: %s', (lines) => {
    expect(lintsOf('undescribed-prompt', lines)).not.toEqual([]);
  });

  it.each(['prompt; tool = "a"; description = "so"', 'deny; tool = "a"'])('has nothing against: %s', (lines) => {
    expect(lintsOf('undescribed-prompt', lines)).toEqual([]);
  });
});

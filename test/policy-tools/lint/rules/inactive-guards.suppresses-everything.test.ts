import { describe, expect, it } from 'vitest';

import { lintsOf } from '../../../support/lints-of.ts';

describe('suppresses-everything', () => {
  it.each(['[[detection.suppress]]; server = "*"; rule = "**"; reason = "noise"'])('finds something in: %s', (lines) => {
    expect(lintsOf('suppresses-everything', lines)).not.toEqual([]);
  });

  it.each([
    '[[detection.suppress]]; server = "files"; rule = "**"; reason = "noise"',
    '[[detection.suppress]]; server = "*"; rule = "obfuscation.*"; reason = "noise"',
  ])('has nothing against: %s', (lines) => {
    expect(lintsOf('suppresses-everything', lines)).toEqual([]);
  });
});

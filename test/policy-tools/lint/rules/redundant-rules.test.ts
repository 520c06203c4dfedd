import { describe, expect, it } from 'vitest';

import { lintsOf } from '../../../support/lints-of.ts';

describe('redundant-rule', () => {
  it.each(['[defaults]; action = "allow"\nallow; tool = "a"', 'allow; tool = "a"\nallow; tool = "*"'])(
    'finds something in: %s',
    (lines) => {
      expect(lintsOf('redundant-rule', lines)).not.toEqual([]);
    },
  );

  it.each([
    '[defaults]; action = "allow"\nallow; tool = "a"; description = "so that nobody forgets"',
    '[defaults]; action = "allow"\nallow; tool = "a"\ndeny; tool = "*"',
    '[defaults]; action = "deny"\ndeny; tool = "a"',
    '[defaults]; action = "deny"\ndeny; tool = "a"\nallow; tool = "*"',
    'allow; tool = "a"\ndeny; tool = "a*"\nallow; tool = "*"',
    '[defaults]; action = "deny"\ndeny; tool = "Bash"; server = "native"',
  ])('has nothing against: %s', (lines) => {
    expect(lintsOf('redundant-rule', lines)).toEqual([]);
  });
});

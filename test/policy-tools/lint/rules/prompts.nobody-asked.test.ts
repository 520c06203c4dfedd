import { describe, expect, it } from 'vitest';

import { lintsOf } from '../../../support/lints-of.ts';

describe('nobody-asked', () => {
  it.each(['[approval]; channels = []\nprompt; tool = "a"', '[approval]; channels = []\n[defaults]; action = "prompt"'])(
    'finds something in: %s',
    (lines) => {
      expect(lintsOf('nobody-asked', lines)).not.toEqual([]);
    },
  );

  it.each(['[approval]; channels = []\ndeny; tool = "a"', 'prompt; tool = "a"'])('has nothing against: %s', (lines) => {
    expect(lintsOf('nobody-asked', lines)).toEqual([]);
  });
});

import { expect, it } from 'vitest';

import { remember } from '../../src/core/remember.ts';

it('asks once about a short text', () => {
  const asked: string[] = [];
  const read = remember(
    (text) => {
      asked.push(text);
      return text.toUpperCase();
    },
    { most: 2, longest: 3 },
  );
  expect(['a', 'a', 'long', 'long'].map(read)).toEqual(['A', 'A', 'LONG', 'LONG']);
  expect(asked).toEqual(['a', 'long', 'long']);
  // The third text is one too many for the others.
  expect(['b', 'c', 'a'].map(read)).toEqual(['B', 'C', 'A']);
  expect(asked.slice(3)).toEqual(['b', 'c', 'a']);
});

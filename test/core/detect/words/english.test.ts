import { describe, expect, it } from 'vitest';
import { ENGLISH } from '../../../../src/core/detect/words/english.ts';

describe('English words', () => {
  it.each(Object.entries(ENGLISH))('%s: each once, in lower case', (_concept, list) => {
    const words = list.split('|');
    expect(words).toEqual([...new Set(words)]);
    expect(words.filter((word) => word === '' || word !== word.toLowerCase() || word !== word.trim())).toEqual([]);
  });
});

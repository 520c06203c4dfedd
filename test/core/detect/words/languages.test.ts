import { describe, expect, it } from 'vitest';
import { WRITTEN_WITH_SPACES, WRITTEN_WITHOUT_SPACES } from '../../../../src/core/detect/words/languages.ts';

describe('words of other languages', () => {
  it.each(Object.entries(WRITTEN_WITH_SPACES))('%s: none is empty, nor all that begin with two letters', (_concept, list) => {
    expect(list.split('|').filter((word) => word === '' || /^.{0,2}\*$/.test(word))).toEqual([]);
  });

  it.each(Object.entries(WRITTEN_WITH_SPACES))('%s: a star stands behind single words alone', (_concept, list) => {
    expect(list.split('|').filter((word) => word.includes(' ') && word.includes('*'))).toEqual([]);
  });

  it.each(Object.entries(WRITTEN_WITHOUT_SPACES))('%s: none is empty', (_concept, list) => {
    expect(list.split('|').filter((word) => word.trim() !== word || word === '')).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { FURTHER_LANGUAGES } from '../../../../src/core/detect/words/further-languages.ts';

describe('words of further languages', () => {
  it.each(Object.entries(FURTHER_LANGUAGES))('%s: none is empty, nor all that begin with two letters', (_concept, list) => {
    expect(list.split('|').filter((word) => word.trim() !== word || word === '' || /^.{0,2}\*$/.test(word))).toEqual([]);
  });

  it.each(Object.entries(FURTHER_LANGUAGES))('%s: a star stands behind single words alone', (_concept, list) => {
    expect(list.split('|').filter((word) => word.includes(' ') && word.includes('*'))).toEqual([]);
  });

  it.each(Object.entries(FURTHER_LANGUAGES))('%s: each as texts are once they are normalised', (_concept, list) => {
    expect(list).toBe(list.toLowerCase().normalize('NFKC'));
  });
});

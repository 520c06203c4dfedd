import { describe, expect, it } from 'vitest';
import { FOREIGN_LOOKALIKES, isCloseLookalike, LATIN_LOOKALIKES } from '../../../../src/core/detect/normalise/confusables.ts';

const TABLES = [...FOREIGN_LOOKALIKES, ...LATIN_LOOKALIKES];

describe('look-alikes', () => {
  it.each(TABLES)('%s is one letter in one UTF-16 unit, and looks like %s', (letter, look) => {
    expect(letter).toMatch(/^[^\x00-\x7f]$/);
    expect(look).toMatch(/^[A-Za-z4]$/);
    expect(letter.normalize('NFKC')).toBe(letter);
  });

  it('there are some of each script', () => {
    const scripts = ['Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Lisu', 'Coptic'];
    const counts = scripts.map((script) =>
      [...FOREIGN_LOOKALIKES.keys()].filter((letter) => new RegExp(`\\p{Script=${script}}`, 'u').test(letter)),
    );
    expect(counts.filter(({ length }) => length < 10)).toEqual([]);
  });

  it('letters of everyday words are not close ones', () => {
    expect([...'аеорсухАВЕКМНОРСТХ'].filter((letter) => !isCloseLookalike(letter))).toEqual([]);
    expect([...'вкмнтгп'].filter(isCloseLookalike)).toEqual([]);
  });
});

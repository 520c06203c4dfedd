import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partsAround } from '../../../src/core/outgoing/parts-around.ts';
import { runs } from '../../support/runs.ts';

describe('partsAround', () => {
  it.each<[string, string, string]>([
    ['nothing without a match', 'a b c', ''],
    ['all of a short text', 'a %41 c', 'a %41 c'],
    [
      'words around a match, the first one whole',
      `${'x'.repeat(50)} first second %41 ${'y '.repeat(20)}`,
      'second %41 y y y y y y',
    ],
    ['each of two that are far apart', `%41 ${'. '.repeat(45)}%42`, '%41 . . . . . .\n\n. . . %42'],
  ])('%s', (_name, text, parts) => {
    expect(partsAround(text, /%\d{2}/g, { reach: 6 })).toBe(parts);
  });

  it('leaves out what does not count', () => {
    expect(partsAround('a%41 b%42', /%\d{2}/g, { reach: 2, counts: /^b/ })).toContain('b%42');
    expect(partsAround('a%41', /%\d{2}/g, { counts: /^b/ })).toBe('');
  });

  it('keeps every match with what is around it', () => {
    const word = fc.constantFrom('%41', 'x', ' ', '-'.repeat(30), 'word');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), fc.integer({ min: 4, max: 40 }), (words, reach) => {
        const text = words.join('');
        const parts = partsAround(text, /%\d{2}/g, { reach });
        for (const { index } of text.matchAll(/%\d{2}/g))
          expect(parts).toContain(text.slice(Math.max(0, index - reach), index + reach));
      }),
      { numRuns: runs(300) },
    );
  });
});

import { wordlist } from '@scure/bip39/wordlists/english.js';
import { entropyToMnemonic } from '@scure/bip39';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSeedPhrases } from '../../../../src/core/dlp/kinds/find-seed-phrases.ts';
import { runs } from '../../../support/runs.ts';
import { foundTexts, PLAIN } from './found-texts.ts';

/** Test vectors of BIP 39. */
const PHRASES = [
  'legal winner thank year wave sausage worth useful legal winner thank yellow',
  'ozone drill grab fiber curtain grace pudding thank cruise elder eight picnic',
  'gravity machine north sort system female filter attitude volume fold club stay feature office ecology stable narrow fog',
  'hamster diagram private dutch cause delay private meat slide toddler razor book happy fancy gospel tennis maple dilemma loan word shrug inflict delay length',
];

describe('findSeedPhrases', () => {
  it.each(PHRASES)('%s', (phrase) => {
    const words = phrase.split(' ');
    for (const text of [
      phrase,
      phrase.toUpperCase(),
      words.join('\n'),
      words.join(', '),
      words.map((word, index) => `${index + 1}. ${word}`).join('\n'),
      JSON.stringify(words).slice(2, -2),
    ]) {
      expect(foundTexts(findSeedPhrases, text)).toEqual([text.replace(/^1\. /, '')]);
      expect(foundTexts(findSeedPhrases, `my phrase is: ${text}. Keep it safe`)).toHaveLength(1);
    }
  });

  it('wherever it begins, whatever stands between its words', () => {
    const entropy = fc
      .constantFrom(16, 20, 24, 28, 32)
      .chain((length) => fc.uint8Array({ minLength: length, maxLength: length }));
    const before = fc.string({ unit: fc.constantFrom('a', 'the', 'of', 'zoo', ' ', '\n', '.', '7', '='), maxLength: 70 });
    fc.assert(
      fc.property(entropy, before, fc.constantFrom(' ', ',', ', ', '\n', '" "', ' 7. '), (bytes, text, sign) => {
        const words = entropyToMnemonic(bytes, wordlist).split(' ');
        const isSorted = words.every((word, at) => at === 0 || word > (words[at - 1] ?? ''));
        if (isSorted) return;
        const found = foundTexts(findSeedPhrases, `${text}=${words.join(sign)}=`);
        expect(found).toContain(words.join(sign));
      }),
      { numRuns: runs(2000) },
    );
  });

  it('two of them', () => {
    expect(foundTexts(findSeedPhrases, PHRASES.slice(0, 2).join('\n\n'))).toEqual(PHRASES.slice(0, 2));
  });

  it('a wrong checksum, a missing word and prose are none', () => {
    const [first = ''] = PHRASES;
    expect(foundTexts(findSeedPhrases, first.replace('yellow', 'year'))).toEqual([]);
    expect(foundTexts(findSeedPhrases, first.replace('winner ', ''))).toEqual([]);
    const prose =
      'some people like long walks near the river while other people only watch their phones and never look around them';
    expect(foundTexts(findSeedPhrases, prose)).toEqual([]);
  });

  it('a list of words, and words that only begin like them, are none', () => {
    expect(foundTexts(findSeedPhrases, wordlist.join('\n'))).toEqual([]);
    const [first = ''] = PHRASES;
    expect(foundTexts(findSeedPhrases, first.replace('useful', 'usefully'))).toEqual([]);
    expect(foundTexts(findSeedPhrases, `${first}ish`)).toEqual([]);
  });

  it('nothing in numbers, ids, times and hashes', () => {
    expect(foundTexts(findSeedPhrases, PLAIN)).toEqual([]);
  });
});

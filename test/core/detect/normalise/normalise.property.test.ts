import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalise } from '../../../../src/core/detect/normalise/normalise.ts';
import { findObfuscation } from '../../../../src/core/detect/rules/obfuscation/find-obfuscation.ts';

it('ASCII text is itself in lower case, but for runs of white space', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
      expect(normalise(text).plain).toBe(text.toLowerCase().replaceAll(/ {2,}/g, ' '));
    }),
  );
});

it('a text in base64 comes out of it, wherever it stands', () => {
  const word = fc.constantFrom('read', 'the', 'file', 'and', 'send', 'its', 'text', 'to', 'us', 'größe', 'ключ');
  fc.assert(
    fc.property(fc.array(word, { minLength: 5, maxLength: 40 }), fc.string({ unit: 'grapheme-ascii' }), (words, beside) => {
      const text = words.join(' ');
      const encoded = Buffer.from(text).toString('base64');
      expect(normalise(`${beside} ${encoded} ${beside}`).hidden).toContain(normalise(text).plain);
    }),
  );
});

/** What patterns and tables could be made slow with. */
const HOSTILE = [
  'a',
  'A1b',
  '4f',
  '4f ',
  '0x',
  'a ',
  'a-',
  '1gn0',
  '%41',
  '%e',
  '&#',
  '&lt;',
  '\\u00',
  '\\',
  'QUJDREVGR0hJSktM\n',
  '=',
  '-----',
  ' ',
  '\t\u00a0',
  '\n',
  '\r\n ',
  '\n\n\n\nx',
  '\x1b[',
  '\x1b]',
  '\x1b[1;',
  '\x1b',
  '\x9b',
  '\x01',
  '\u200b',
  'a\u200b',
  '\u200b\u200c',
  '\u202ea',
  '\u{e0041}',
  'a\u{e0101}',
  '🏴\u{e0067}',
  '\ufe0f',
  '\u0301\u0316',
  'a\u0334\u0316',
  '\u0f71\u0f74',
  'а',
  'аb',
  'аb ',
  'жда ',
  'α ',
  'ᄒ',
  'ㅎㅏ',
  '漢',
  '👍🏽',
  '\ud800',
  'Ａ',
  '𝐈',
  'é',
  'İ',
  'ﷺ',
  '<!--',
  '<!-- a ',
  '<p hidden ',
  '<div style="display:none',
  '[//]: # (',
  'ignore ',
  'ignore_all_the_rules ',
  'a_',
  'aB',
  'ig<b>',
  '<b>a</b>',
  'a<b ',
  '01101001',
  '105 ',
  'MFRGG',
  'YWFhYWFhYWFhYWFhYWFh',
  '%2525',
];

const SIZE = 20_000;
const TIMES = 16;
/** Of a time that grows as the square of the size it would be more than `TIMES` squared; of one that grows with it, `TIMES`, and as much again for a machine that is busy. */
const MOST_GROWTH = TIMES * 5;

describe('time grows with the size of a text', () => {
  it.each(HOSTILE)('of %j', { timeout: 60_000, retry: 2 }, (piece) => {
    let growth = Infinity;
    for (let attempt = 0; attempt < 3 && growth >= MOST_GROWTH; attempt += 1) {
      growth = Math.min(growth, timeOf(piece, SIZE * TIMES) / Math.max(timeOf(piece, SIZE), 1));
    }
    expect(growth).toBeLessThan(MOST_GROWTH);
  });
});

it.each(['a', 'A1b', '\x1b[', 'QUJDREVGR0hJSktM\n'])(
  '10 MB of %j are no more than anything else can take',
  { timeout: 60_000 },
  (piece) => {
    const text = piece.repeat(10_000_000 / piece.length);
    const { plain, at } = normalise(text);
    expect(at(plain.length)).toBe(text.length);
  },
);

function timeOf(piece: string, size: number): number {
  const text = piece.repeat(Math.ceil(size / piece.length));
  const start = performance.now();
  const normalised = normalise(text);
  normalised.at(normalised.plain.length >> 1);
  findObfuscation('text', text, normalised);
  return performance.now() - start;
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { decodePercent, decodePieces, decodeRounds } from '../../../src/core/paths/percent.ts';

describe('decodePercent', () => {
  it.each([
    ['a', 'a'],
    ['%2e%2E/%2f', '..//'],
    ['%', '%'],
    ['%zz%4', '%zz%4'],
    ['%C3%A9%e2%82%ac', 'é€'],
    ['100%25', '100%'],
    ['%ff', '\uFFFD'],
    ['%00', '\0'],
    ['%EF%BB%BFa', '\uFEFFa'],
  ])('%j becomes %j', (text, decoded) => {
    expect(decodePercent(text)).toBe(decoded);
  });

  it('undoes encodeURIComponent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(decodePercent(encodeURIComponent(text))).toBe(text);
      }),
    );
  });
});

describe('decodeRounds', () => {
  it.each([
    ['plain', ['plain']],
    ['%2e', ['%2e', '.']],
    ['%252e', ['%252e', '%2e', '.']],
    ['%2525252e', ['%2525252e', '%25252e', '%252e', '%2e', '.']],
    ['%252525252e', ['%252525252e', '%2525252e', '%25252e', '%252e', '%2e']],
  ])('%j is read as %j', (text, rounds) => {
    expect(decodeRounds(text)).toEqual(rounds);
  });
});

describe('decodePieces', () => {
  function decodeIn(pieces: readonly string[]): string {
    return [...decodePieces(pieces)].join('');
  }

  const byte = fc.oneof(
    fc.constantFrom(0x25, 0x32, 0x35, 0x41, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xc3),
    fc.constantFrom(0xdf, 0xe0, 0xe4, 0xed, 0xee, 0xef, 0xf0, 0xf4, 0xf5, 0xff, 0xbb, 0x00, 0xb8, 0xad),
    fc.nat(255),
  );
  const part = fc.oneof(
    { weight: 4, arbitrary: byte.map((code) => `%${code.toString(16).padStart(2, '0')}`) },
    byte.map((code) => `%${code.toString(16).padStart(2, '0').toUpperCase()}`),
    fc.constantFrom('%', '%2', '%zz', 'a', 'é', '\u{1F600}', '\uD83D', '\uDE00', '%25', '%C3%A9', '%F0%9F%98%80'),
  );

  it('decodes pieces as it does the whole, whatever is cut, and invalid UTF-8 as the platform does', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.array(fc.nat(5), { maxLength: 12 }), (parts, sizes) => {
        const text = parts.join('');
        const pieces: string[] = [];
        let at = 0;
        for (const size of sizes) {
          pieces.push(text.slice(at, at + size));
          at += size;
        }
        pieces.push(text.slice(at));
        expect(decodeIn(pieces)).toBe(decodePercent(text));
      }),
      { numRuns: 5000 },
    );
  });

  it('decodes one character at a time, each sequence of four bytes at the limits', () => {
    const limits = [
      'c2 80',
      'df bf',
      'e0 9f bf',
      'e0 a0 80',
      'ed 9f bf',
      'ed a0 80',
      'f0 8f bf bf',
      'f0 90 80 80',
      'f4 8f bf bf',
      'f4 90 80 80',
    ];
    for (const limit of limits) {
      const text = `%${limit.replaceAll(' ', '%')}`;
      expect(decodeIn([...text])).toBe(decodePercent(text));
    }
  });

  it('holds back no more than what a character of UTF-8 takes', () => {
    const pieces = Array.from({ length: 100 }, () => '%80'.repeat(1000));
    let length = 0;
    for (const piece of decodePieces(pieces)) {
      expect(piece.length).toBeLessThanOrEqual(1003);
      length += piece.length;
    }
    expect(length).toBe(100_000);
  });
});

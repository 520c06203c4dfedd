import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutToWidth, displayWidth, padToWidth, wrapWords } from '../../../src/cli/terminal/text.ts';

describe('the width of a text', () => {
  it.each<[string, number]>([
    ['', 0],
    ['abc', 3],
    ['über', 4],
    ['u\u0308ber', 4],
    ['日本', 4],
    ['한글', 4],
    ['Ａ', 2],
    ['🦊', 2],
    ['𠀀', 2],
    ['\uFFFD', 1],
    ['…', 1],
  ])('%j is %i columns', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

describe('a text that is cut', () => {
  it.each<[string, number, string]>([
    ['abcdef', 6, 'abcdef'],
    ['abcdef', 5, 'abcd…'],
    ['abcdef', 1, '…'],
    ['日本語', 6, '日本語'],
    ['日本語', 5, '日本…'],
    ['日本語', 4, '日…'],
    ['a🦊b', 3, 'a…'],
    ['u\u0308u\u0308u\u0308', 3, 'u\u0308u\u0308u\u0308'],
    ['u\u0308u\u0308u\u0308', 2, 'u\u0308…'],
  ])('%j to %i', (text, width, expected) => {
    expect(cutToWidth(text, width)).toBe(expected);
  });

  it('fits, is its beginning, and is whole where it can be', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'ü', '日', '🦊', '\u0308', ' ') });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 12 }), (text, width) => {
        const cut = cutToWidth(text, width);
        expect(displayWidth(cut)).toBeLessThanOrEqual(width);
        if (displayWidth(text) <= width) expect(cut).toBe(text);
        else expect(text.startsWith(cut.slice(0, -1)) && cut.endsWith('…')).toBe(true);
        expect(displayWidth(padToWidth(cut, width))).toBe(width);
      }),
    );
  });
});

it.each<[text: string, width: number, lines: string[]]>([
  ['', 10, ['']],
  ['one two', 7, ['one two']],
  ['one two', 6, ['one', 'two']],
  ['a /very/long/path b', 8, ['a', '/very/long/path', 'b']],
  ['/very/long/path b', 8, ['/very/long/path', 'b']],
  ['run `a b c` now', 8, ['run', '`a b c`', 'now']],
  ['run `a b c`, or `d e` too', 10, ['run', '`a b c`,', 'or `d e`', 'too']],
  ['`a b c d` `e', 6, ['`a b c', 'd` `e']],
  ['one two three', Infinity, ['one two three']],
])('%j at %d', (text, width, lines) => {
  expect(wrapWords(text, width)).toEqual(lines);
});

import { describe, expect, it } from 'vitest';
import { unhide } from '../../../../src/core/detect/normalise/unhide.ts';

describe('unhide', () => {
  it.each([
    ['Ａ\u200bｄｄs \x1b[1mit', 'adds it'],
    ['x\u0336y\u0336', 'xy'],
    ['a\u3000b\u2800c', 'a b c'],
    ['kΩ', 'kω'],
    ['Ǆ', 'dž'],
    ['क्‍ष', 'क्ष'],
    ['שָׁלוֹם', 'שָׁלוֹם'.normalize('NFKC')],
  ])('%j is %j', (text, plain) => {
    expect(unhide(text).text).toBe(plain);
  });

  it('drops marks that no letter has so many of', () => {
    expect(unhide(`x${'\u0f71'.repeat(100_000)}`).text).toHaveLength(31);
  });

  it('goes back to the text through every step', () => {
    const text = '\x1b[1mＡ\u200bd\u0336d  s';
    const { text: plain, at } = unhide(text);
    expect(plain).toBe('add s');
    expect([...plain].map((_letter, index) => text.charAt(at(index)))).toEqual(['Ａ', 'd', 'd', ' ', 's']);
  });
});

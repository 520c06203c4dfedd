import { describe, expect, it } from 'vitest';
import { decodeEscapes } from '../../../../../src/core/detect/normalise/decode/decode-escapes.ts';

describe('decodeEscapes', () => {
  it.each([
    ['%72ead%20it', 'read it'],
    ['gr%C3%B6%C3%9Fe', 'größe'],
    ['&lt;b&gt; &#114;ead &#x69;t', '<b> read it'],
    [String.raw`\u0072ead \x69t \u{1f600} \162`, 'read it 😀 r'],
    [String.raw`a\nb\u0063`, 'a\nbc'],
    ['&#x110000;x%41', 'xA'],
    ['r%2565ad%20it%252c now', 'read it, now'],
    ['100%25 of %41', '100% of A'],
  ])('%j stands for %j', (text, meaning) => {
    expect(decodeEscapes(text)).toMatchObject([{ text: meaning, hiding: 'escapes' }]);
  });

  it('takes the lines that have some', () => {
    expect(decodeEscapes('first\nx %41\nlast %42')).toEqual([{ text: 'x A\nlast B', hiding: 'escapes', position: 8 }]);
  });

  it.each(['100% of it', 'a & b', String.raw`C:\new\temp`, 'R&D;', '50%-60%'])('not in %j', (text) => {
    expect(decodeEscapes(text)).toEqual([]);
  });
});

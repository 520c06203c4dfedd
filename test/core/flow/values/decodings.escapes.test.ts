import { describe, expect, it } from 'vitest';
import { unescaped } from '../../../../src/core/flow/values/decodings.ts';

describe('unescaped', () => {
  it.each([
    ['plain', 'plain'],
    [String.raw`a\nb\tc\"d\"\\e\/f`, 'a\nb\tc"d"\\e/f'],
    [String.raw`\u0041\u00e9\x42`, 'AéB'],
    [String.raw`C:\Users\mara\Desktop`, String.raw`C:\Users\mara\Desktop`],
    [String.raw`\u00`, String.raw`\u00`],
    ['\\', '\\'],
  ])('%j', (text, plain) => {
    expect(unescaped(text)).toBe(plain);
  });
});

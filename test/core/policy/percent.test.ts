import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { decodePercent, decodeRounds } from '../../../src/core/policy/percent.ts';

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
    ['%2525252e', ['%2525252e', '%25252e', '%252e', '%2e']],
  ])('%j is read as %j', (text, rounds) => {
    expect(decodeRounds(text)).toEqual(rounds);
  });
});

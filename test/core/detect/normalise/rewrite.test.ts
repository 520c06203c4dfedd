import { describe, expect, it } from 'vitest';
import { chained, rewrite, unchanged } from '../../../../src/core/detect/normalise/rewrite.ts';

describe('rewrite', () => {
  it('goes back to what was replaced', () => {
    const { text, at } = rewrite('a--b---c', /-+/g, () => '+');
    expect(text).toBe('a+b+c');
    expect([0, 1, 2, 3, 4, 5].map(at)).toEqual([0, 1, 3, 4, 7, 8]);
  });

  it('goes back from what is longer, too, and never backwards', () => {
    const { text, at } = rewrite('xay', /a/g, () => 'bcd');
    expect(text).toBe('xbcdy');
    expect([0, 1, 2, 3, 4, 5].map(at)).toEqual([0, 1, 1, 1, 2, 3]);
  });

  it('goes past what was removed at the ends', () => {
    const { at } = rewrite('--a--', /-+/g, () => '');
    expect([0, 1].map(at)).toEqual([2, 5]);
  });

  it('keeps offsets within the text', () => {
    expect([-1, 0, 9].map(unchanged('abc').at)).toEqual([0, 0, 3]);
    expect([-1, 9].map(rewrite('a-b', /-/g, () => '').at)).toEqual([0, 3]);
  });
});

describe('chained', () => {
  it('goes back through both', () => {
    const { text, at } = chained(
      rewrite('a-b c', /-/g, () => ''),
      (part) => rewrite(part, / /g, () => ''),
    );
    expect(text).toBe('abc');
    expect([0, 1, 2, 3].map(at)).toEqual([0, 2, 4, 5]);
  });
});

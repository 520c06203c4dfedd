import { describe, expect, it } from 'vitest';
import { MOST_SEEN, Survey } from '../../../src/core/paths/survey.ts';

function survey(...pieces: readonly string[]): Survey {
  const found = new Survey();
  for (const piece of pieces) found.push(piece);
  return found;
}

describe('Survey', () => {
  it('knows how a text begins and ends', () => {
    const { head, tail } = survey('a'.repeat(MOST_SEEN - 1), 'bc', 'd'.repeat(MOST_SEEN - 1), 'e');
    expect(head.slice(-2)).toBe('ab');
    expect(head.length).toBe(MOST_SEEN);
    expect(tail.slice(0, 2) + tail.slice(-2)).toBe('ddde');
    expect(tail.length).toBe(MOST_SEEN);
  });

  it('knows how a URL begins, whatever is before it', () => {
    expect(survey(' \n', '\0', ' ht', 'tp://x').lead).toBe('http://x');
  });

  it.each([
    { pieces: ['a', 'b\0'], hasNul: true, hasBackslash: false },
    { pieces: ['a\\', 'b'], hasNul: false, hasBackslash: true },
  ])('finds NUL and backslash in $pieces', ({ pieces, hasNul, hasBackslash }) => {
    expect(survey(...pieces)).toMatchObject({ hasNul, hasBackslash });
  });

  it('shortens the text both ways', () => {
    expect(survey('a/.', './b\\', '..\\c').paths()).toEqual(['b\\..\\c', 'c']);
    expect(survey('a/.', './b').paths()).toEqual(['b']);
  });
});

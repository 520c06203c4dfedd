import { describe, expect, it } from 'vitest';
import { cutIntoPieces } from '../../../src/core/json.ts';
import { isInPiece, PIECE, toPieces } from '../../../src/core/paths/pieces.ts';

describe('cutIntoPieces', () => {
  it.each([
    ['nothing', ''],
    ['less than one piece', 'a'],
    ['a whole number of pieces', 'abcd'.repeat(PIECE)],
    ['pairs across the borders', `a${'\u{1F600}'.repeat(PIECE)}`],
    ['halves of pairs', `${'\uD83D'.repeat(PIECE)}\uDE00${'\uDE00'.repeat(PIECE)}`],
  ])('loses nothing of %s and tears no pair', (_, text) => {
    const pieces = [...cutIntoPieces(text, PIECE)];
    expect(pieces.join('') === text).toBe(true);
    for (const [at, piece] of pieces.entries()) {
      expect(piece.length).toBeLessThanOrEqual(PIECE + 1);
      expect(piece.length).toBeGreaterThan(0);
      const border = piece.slice(-1) + (pieces[at + 1]?.slice(0, 1) ?? '');
      expect(/^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(border)).toBe(false);
    }
  });
});

describe('toPieces', () => {
  it.each([
    [true, 1],
    [false, 3],
  ])('can be walked through again, kept (%j) or not', (isKept, made) => {
    let times = 0;
    const pieces = toPieces(() => {
      times += 1;
      return cutIntoPieces('a'.repeat(PIECE + 1), PIECE);
    }, isKept);
    for (let walk = 0; walk < 3; walk += 1) expect([...pieces].map(({ length }) => length)).toEqual([PIECE, 1]);
    expect(times).toBe(made);
  });
});

describe('isInPiece', () => {
  it.each([
    ['', 'xab', true],
    ['a', 'b', true],
    ['xa', 'bx', true],
    ['ab', 'x', false],
    ['', 'b', false],
  ])('after %j, %j: %j', (before, piece, isIn) => {
    expect(isInPiece({ pattern: /ab/, longest: 2 }, before, piece)).toBe(isIn);
  });

  it('of one character looks at the piece alone', () => {
    expect(isInPiece({ pattern: /a/, longest: 1 }, 'a', 'b')).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { chainStages, cutIntoPieces, PIECE, type Stage } from '../../../src/core/paths/pieces.ts';

describe('cutIntoPieces', () => {
  it.each([
    ['nothing', ''],
    ['less than one piece', 'a'],
    ['a whole number of pieces', 'abcd'.repeat(PIECE)],
    ['pairs across the borders', `a${'\u{1F600}'.repeat(PIECE)}`],
    ['halves of pairs', `${'\uD83D'.repeat(PIECE)}\uDE00${'\uDE00'.repeat(PIECE)}`],
  ])('loses nothing of %s and tears no pair', (_, text) => {
    const pieces = [...cutIntoPieces(text)];
    expect(pieces.join('') === text).toBe(true);
    for (const [at, piece] of pieces.entries()) {
      expect(piece.length).toBeLessThanOrEqual(PIECE + 1);
      expect(piece.length).toBeGreaterThan(0);
      const border = piece.slice(-1) + (pieces[at + 1]?.slice(0, 1) ?? '');
      expect(/^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(border)).toBe(false);
    }
  });
});

describe('chainStages', () => {
  /** Keeps the last character of what it has until more comes. */
  function late(mark: string): Stage {
    let held = '';
    return {
      push(piece) {
        const text = held + piece;
        held = text.slice(-1);
        return text.slice(0, -1).replaceAll(/./g, `$&${mark}`);
      },
      end: () => held,
    };
  }

  it('hands on what each stage has kept', () => {
    const { push, end } = chainStages([late('1'), late('2')]);
    expect(push('ab') + push('c') + end()).toBe('a212b212c');
  });

  it('of none changes nothing', () => {
    const { push, end } = chainStages([]);
    expect(push('ab') + end()).toBe('ab');
  });
});

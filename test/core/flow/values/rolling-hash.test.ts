import { describe, expect, it } from 'vitest';
import { RollingHash } from '../../../../src/core/flow/values/rolling-hash.ts';
import { hasher } from './memory.ts';
import { randomBytes } from './random-bytes.ts';

/** The marks of a text whose letters are all of the last block. */
function marksOf(text: string): { readonly piece: number; readonly passage: number } {
  const hash = new RollingHash(hasher);
  hash.read(text, 0);
  return { piece: hash.piece(hash.to - 1), passage: hash.passage(hash.to - 1) };
}

describe('RollingHash', () => {
  it('gives each 12 and 24 letters the mark that they have by themselves, at any place of a long text', () => {
    const text = randomBytes(5000).toString('hex');
    const hash = new RollingHash(hasher);
    let checked = 0;
    for (let index = hash.read(text, 0); ; index = hash.read(text, index)) {
      for (let at = Math.max(hash.from, 23); at < hash.to; at += 41) {
        const end = hash.placeOf(at) + 1;
        expect(hash.piece(at)).toBe(marksOf(text.slice(end - 12, end)).piece);
        expect(hash.passage(at)).toBe(marksOf(text.slice(end - 24, end)).passage);
        checked += 1;
      }
      if (index > text.length) break;
    }
    expect(checked).toBeGreaterThan(200);
  });

  it('gives the lines that ended, with their places', () => {
    const hash = new RollingHash(hasher);
    hash.read('short\n - the quick brown fox!\n', 0);
    expect(hash.lines.map(({ start, end, letters }) => ({ start, end, letters }))).toEqual([{ start: 9, end: 28, letters: 16 }]);
  });

  it('differs by the hasher', () => {
    const hash = new RollingHash(hasher);
    hash.read('thequickbrownfox', 0);
    const first = hash.piece(15);
    hash.reset();
    hash.read('thequickbrownfoy', 0);
    expect(hash.piece(15)).not.toBe(first);
  });
});

import { describe, expect, it } from 'vitest';
import { slashPieces, surveyPieces } from '../../../src/core/paths/shorten-path.ts';

describe('surveyPieces', () => {
  it('knows how a URL begins, whatever is before it', () => {
    expect(surveyPieces([' \n', '\0', ' ht', 'tp://x/y']).lead).toBe('http://x');
  });

  it.each([
    { pieces: ['a', 'b\0'], hasNul: true, hasBackslash: false, hasEncoded: false },
    { pieces: ['a\\', 'b'], hasNul: false, hasBackslash: true, hasEncoded: false },
    { pieces: ['a%4', '1b'], hasNul: false, hasBackslash: false, hasEncoded: true },
    { pieces: ['%', '4', '1'], hasNul: false, hasBackslash: false, hasEncoded: true },
    { pieces: ['%4', 'x1%'], hasNul: false, hasBackslash: false, hasEncoded: false },
  ])('finds what is in $pieces', ({ pieces, ...found }) => {
    expect(surveyPieces(pieces)).toMatchObject(found);
  });

  it('shortens the text both ways', () => {
    expect(surveyPieces(['a/.', './b\\', '..\\c']).paths).toEqual(['b\\..\\c', 'c']);
    expect(surveyPieces(['a/.', './b']).paths).toEqual(['b']);
  });
});

describe('slashPieces', () => {
  it('has `/` for `\\`', () => {
    expect([...slashPieces(['a\\', '\\b', 'c/'])]).toEqual(['a/', '/b', 'c/']);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlob, openEnding, openIncludes } from '../../../src/core/patterns/glob.ts';

function feed({ feed: take, end }: ReturnType<typeof openIncludes>, pieces: readonly string[]): boolean {
  for (const piece of pieces) {
    const answer = take(piece);
    if (answer !== undefined) return answer;
  }
  return end();
}

describe('openIncludes and openEnding', () => {
  it.each([
    { text: 'abc', pieces: ['xa', 'b', 'cx'], isIn: true, isEnd: false },
    { text: 'abc', pieces: ['xa', 'b', '', 'c'], isIn: true, isEnd: true },
    { text: 'abc', pieces: ['ab', 'ab'], isIn: false, isEnd: false },
    { text: 'a', pieces: ['xa', 'x'], isIn: true, isEnd: false },
    { text: 'aab', pieces: ['aaa', 'ab'], isIn: true, isEnd: true },
    { text: 'abc', pieces: [], isIn: false, isEnd: false },
  ])('of $text in $pieces', ({ text, pieces, isIn, isEnd }) => {
    expect(feed(openIncludes(text), pieces)).toBe(isIn);
    expect(feed(openEnding(text), pieces)).toBe(isEnd);
  });
});

describe('a glob that is given pieces', () => {
  it('matches what it matches as a whole', () => {
    const chars = fc.constantFrom('a', 'b', '/', '\u{1F600}', 'é', '.');
    const token = fc.oneof(chars, fc.constantFrom('*', '**', '?', `${'ab'.repeat(20)}`));
    const value = fc.array(fc.array(fc.oneof({ weight: 8, arbitrary: chars }, fc.constant('ab'.repeat(20))), { maxLength: 4 }), {
      maxLength: 6,
    });
    const prefixes = fc.constantFrom('', '', 'a*', 'a/');
    fc.assert(
      fc.property(fc.array(token, { minLength: 1, maxLength: 6 }), prefixes, value, (tokens, prefix, texts) => {
        const glob = compileGlob(tokens.join(''), { prefix });
        const pieces = texts.map((each) => each.join(''));
        expect(feed(glob.open(), pieces)).toBe(glob.matches(pieces.join('')));
      }),
      { numRuns: 5000 },
    );
  });
});

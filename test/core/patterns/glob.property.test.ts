import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';

import { compileGlob } from '../../../src/core/patterns/glob.ts';
import { leastHits, runs } from '../../support/runs.ts';

/** The semantics in ten lines: exponential, and plainly right. */
function matchesReference(pattern: string, value: string): boolean {
  const [first, ...rest] = Array.from(pattern);
  if (first === undefined) return value === '';
  const others = rest.join('');
  const [char, ...after] = Array.from(value);
  if (pattern.startsWith('**')) {
    return (
      matchesReference(pattern.replace(/^\*+/, ''), value) || (char !== undefined && matchesReference(pattern, after.join('')))
    );
  }
  if (first === '*')
    return matchesReference(others, value) || (char !== undefined && char !== '/' && matchesReference(pattern, after.join('')));
  return char !== undefined && (first === '?' ? char !== '/' : first === char) && matchesReference(others, after.join(''));
}

const text = (alphabet: string[], maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...alphabet), { maxLength }).map((parts) => parts.join(''));

describe('compileGlob', () => {
  it('agrees with the ten-line reference', () => {
    const pattern = text(['a', 'b', '/', '*', '**', '?', '.', '😀', 'é'], 8).filter((value) => value !== '');
    fc.assert(
      fc.property(pattern, text(['a', 'b', '/', '.', '\n', '😀', 'é', '\uD83D'], 10), (glob, value) => {
        expect(compileGlob(glob).matches(value)).toBe(matchesReference(glob, value));
      }),
      { numRuns: runs(4_000) },
    );
  });

  it('agrees with the reference where the pattern needs several words', () => {
    const pattern = fc
      .tuple(text(['ab', '?', '*', 'b'], 6), text(['a', '**', '?b'], 5))
      .map(([a, b]) => `*${'ab?'.repeat(10)}*${'?b'.repeat(8)}${a}${b}*`);
    const value = fc
      .tuple(text(['a', 'b', '/'], 3), text(['a', 'b'], 4))
      .map(([a, b]) => `${a}${'abx'.repeat(10)}${'ab'.repeat(9)}${b}`);
    let hits = 0;
    fc.assert(
      fc.property(pattern, value, (glob, subject) => {
        const expected = matchesReference(glob, subject);
        if (expected) hits += 1;
        expect(compileGlob(glob).matches(subject)).toBe(expected);
      }),
      { numRuns: runs(300) },
    );
    expect(hits).toBeGreaterThan(leastHits(10));
  });

  it('agrees with picomatch where that means the same', () => {
    // One star between slashes, literal text, `?`: no dotfiles, brackets, or `**` inside of a segment.
    const segment = text(['a', 'b', '*', '?'], 3).filter((value) => value !== '' && !value.includes('**'));
    const pattern = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
    const value = fc
      .array(
        text(['a', 'b'], 3).filter((part) => part !== ''),
        { minLength: 1, maxLength: 3 },
      )
      .map((parts) => parts.join('/'));
    fc.assert(
      fc.property(pattern, value, (glob, path) => {
        const matches = picomatch(glob, { dot: true, nobrace: true, noext: true, nobracket: true, nonegate: true });
        expect(compileGlob(glob).matches(path)).toBe(matches(path));
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('knows what every match begins and ends with', () => {
    fc.assert(
      fc.property(
        text(['a', 'b', '*', '?'], 6).filter((value) => value !== ''),
        text(['a', 'b'], 8),
        (glob, value) => {
          const { literalPrefix, literalSuffix, matches } = compileGlob(glob);
          fc.pre(matches(value));
          expect(value.startsWith(literalPrefix) && value.endsWith(literalSuffix)).toBe(true);
        },
      ),
    );
  });
});

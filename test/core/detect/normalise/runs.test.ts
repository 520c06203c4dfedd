import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findInRuns, Runs } from '../../../../src/core/detect/normalise/runs.ts';

const MEMBER = /[ab\u00a0\u3000]/;
const text = fc.string({ unit: fc.constantFrom(...'ab\u00a0\u3000xä', '\ud83d'), maxLength: 60 });

/** Where all runs of so many members begin. */
function startsOf(source: string, least: number): readonly number[] {
  return Array.from(source.matchAll(/[ab\u00a0\u3000]+/g), ({ 0: run, index }) => ({ run, index }))
    .filter(({ run }) => run.length >= least)
    .map(({ index }) => index);
}

describe('Runs', () => {
  it('finds each run that is long enough, at its beginning', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 9 }), (source, least) => {
        const runs = new Runs(MEMBER, least);
        const found: number[] = [];
        for (let at = runs.next(source, 0); at !== -1; at = runs.next(source, runs.end(source, at))) found.push(at);
        expect(found).toEqual(startsOf(source, least));
      }),
      { numRuns: 2000 },
    );
  });

  it('a run that has begun before does not count, however much of it is left', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 9 }), fc.nat(60), (source, least, from) => {
        const expected = startsOf(source, least).find((start) => start >= from) ?? -1;
        expect(new Runs(MEMBER, least).next(source, from)).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it('leaps over what can be no run', () => {
    const seen = new Set<number>();
    const charCodeAt = (at: number): number => {
      seen.add(at);
      return 0x78;
    };
    const source = { length: 1600, charCodeAt } as unknown as string;
    expect(new Runs(/a/, 16).next(source, 0)).toBe(-1);
    expect(seen.size).toBe(100);
  });
});

describe('findInRuns', () => {
  it('finds what the pattern finds in the whole text', () => {
    const pattern = /(?<!x)(?:ab?){3,5}(?!x)/g;
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'a', 'b', 'x', '.'), maxLength: 60 }), (source) => {
        const expected = Array.from(source.matchAll(pattern), ({ 0: found, index }) => ({ found, index }));
        expect(findInRuns(source, new Runs(/[ab]/, 3), pattern, { before: 1, behind: 1 })).toEqual(expected);
      }),
      { numRuns: 5000 },
    );
  });
});

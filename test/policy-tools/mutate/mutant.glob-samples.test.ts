import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlob } from '../../../src/core/patterns/glob.ts';
import { findWitness, globSamples } from '../../../src/policy-tools/mutate/mutant.ts';

const PATTERN = fc.string({ unit: fc.constantFrom('*', '**', '/', 'a', 'b', '.', '?'), minLength: 1, maxLength: 10 });

describe('globSamples', () => {
  it('are texts that the glob matches, a few hundred at most', () => {
    fc.assert(
      fc.property(PATTERN, (pattern) => {
        const samples = globSamples(pattern);
        expect(samples.length).toBeLessThanOrEqual(256);
        expect(samples.filter((sample) => !compileGlob(pattern).matches(sample))).toEqual([]);
      }),
    );
  });

  it('the first reads like a path', () => {
    expect(globSamples('**/.ssh/**')[0]).toBe('/some/folder/.ssh/some');
  });
});

describe('findWitness', () => {
  it.each([
    [['**/.ssh/**'], ['**/.ssh/*'], '/some/folder/.ssh/some/more'],
    [['a', 'b'], ['a'], 'b'],
    [['read_*'], ['read_**'], undefined],
    [['**/*.p12'], ['**/**.p12'], undefined],
  ])('of %j and not of %j', (of, notOf, text) => {
    expect(findWitness(of, notOf)).toBe(text);
  });

  it('is a text that one matches and the others do not', () => {
    fc.assert(
      fc.property(PATTERN, PATTERN, (one, other) => {
        const text = findWitness([one], [other]);
        const is = text === undefined || (compileGlob(one).matches(text) && !compileGlob(other).matches(text));
        expect(is).toBe(true);
      }),
    );
  });
});

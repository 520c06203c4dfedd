import { describe, expect, it } from 'vitest';

import { compileRegex, compileRegexSet } from '../../../src/core/patterns/regex.ts';

function matches(pattern: string, text: string): boolean {
  const regex = compileRegex(pattern);
  if (!('matches' in regex)) throw new Error(regex.message);
  return regex.matches(text);
}

describe('compileRegex', () => {
  it.each([
    ['b', 'abc', true],
    ['^b', 'abc', false],
    ['(?i)ABC', 'xabcx', true],
    ['\\p{Greek}', 'λ', true],
    ['^.$', '😀', true],
    ['a.b', 'a\nb', false],
    ['(?s)a.b', 'a\nb', true],
  ])('%s in %j: %j', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  it.each(['a(?=b)', 'a(?!b)', '(?<=a)b', '(?<!a)b', '(a)\\1', '(?<n>a)\\k<n>'])('refuses %s and names unless', (pattern) => {
    expect(compileRegex(pattern)).toMatchObject({
      message: expect.stringContaining('bad regex'),
      hint: expect.stringContaining('"unless"'),
    });
  });

  it.each(['[', '(', '*a', 'a{2000}', '\\'])('refuses %s', (pattern) => {
    expect(compileRegex(pattern)).toEqual({ message: expect.stringMatching(/^bad regex: \w/) });
  });

  it('comes to an end where backtracking would not', () => {
    expect(matches('^(a|aa|a*)+$', `${'a'.repeat(100_000)}b`)).toBe(false);
  });
});

describe('compileRegexSet', () => {
  const set = compileRegexSet(['b+', '(', 'c$', '^a', '(?=a)']);

  it('tells which match, by their place among what it was made of', () => {
    expect(set.matching('abc')).toEqual([0, 2, 3]);
    expect(set.matching('cb')).toEqual([0]);
    expect(set.matching('x')).toEqual([]);
  });

  it('tells where, as often as it is asked to', () => {
    expect(set.places(0, 'bb😀b b', 2)).toEqual([
      { start: 0, end: 2 },
      { start: 4, end: 5 },
    ]);
  });

  it('has nothing to say of what does not compile, or of nothing', () => {
    expect(set.places(1, '(', 1)).toEqual([]);
    expect(compileRegexSet([]).matching('a')).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';

import { compileRegex } from '../../../src/core/policy/regex.ts';

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

  it('takes linear time where backtracking would never end', () => {
    const start = performance.now();
    expect(matches('^(a|aa|a*)+$', `${'a'.repeat(100_000)}b`)).toBe(false);
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});

import { describe, expect, it } from 'vitest';

import {
  arePathGlobsDisjoint,
  endingIncludes,
  includesPathGlob,
  pathGlobMatches,
} from '../../../src/policy-tools/relation/path-glob-relation.ts';

describe('path-like globs', () => {
  it.each([
    ['/etc/**', '/etc/*.conf', true],
    ['/etc/**', '/etc/ssl/**', 'links'],
    ['/etc/**', '/etc/passwd', 'links'],
    ['/etc/passwd', '/etc/passwd', true],
    ['**/.ssh/**', '/home/*/.ssh/**', true],
    ['**/.ssh/**', '/home/a/.ssh/**', 'no'],
    ['/etc/**', '/etc/../**', 'no'],
    ['./**', './a/**', 'links'],
    ['~/**', '/home/**', 'no'],
    ['file:///etc/**', 'file:///etc/ssl/**', 'links'],
    ['file:///etc/**', 'file:///etc/%2e/**', 'no'],
    ['C:/a/**', 'C:/a/b/**', 'no'],
    ['https://a/**', 'https://a/b/**', 'links'],
    // In another case sharp s is two letters, and file systems fold.
    ['/a/?', '/a/\u00DF', 'no'],
  ])('%s includes %s: %s', (outer, inner, is) => {
    expect(includesPathGlob(outer, inner, 'any')).toBe(is === true);
    expect(includesPathGlob(outer, inner, 'none')).toBe(is !== 'no');
  });

  it.each([
    ['/a/**', '/b/**', true],
    ['/a/**', '/*/b', false],
    ['/a/**', '~/b', false],
    ['/a/**', '/b/../a/**', false],
  ])('%s and %s are disjoint: %s', (a, b, is) => expect(arePathGlobsDisjoint(a, b)).toBe(is));

  it.each([
    ['/etc/**', '/etc/x', true],
    ['/ETC/**', '/etc/x', false],
    ['**.ENV', 'a.ENV', false],
    ['**.env', 'a.env', true],
    ['/a/?', '/a/\u00DF', false],
  ])('%s matches %s everywhere: %s', (pattern, text, is) => expect(pathGlobMatches(pattern, text)).toBe(is));

  it('includes globs that are no paths only by their ending', () => {
    expect(endingIncludes('**.env', '*.env')).toBe(true);
    expect(endingIncludes('**.env', '*env')).toBe(false);
    expect(endingIncludes('**/a', '**')).toBe(false);
  });
});

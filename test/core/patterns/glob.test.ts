import { describe, expect, it } from 'vitest';

import { compileGlob, findGlobFault } from '../../../src/core/patterns/glob.ts';

const HITS: [pattern: string, value: string][] = [
  ['a', 'a'],
  ['*', ''],
  ['*', 'a\nb'],
  ['**', ''],
  ['**', 'a/b\n/c'],
  ['a*', 'a'],
  ['*a', 'ba'],
  ['a*b', 'ab'],
  ['a*b', 'axxb'],
  ['a**b', 'a/x/b'],
  ['a***b', 'a/x/b'],
  ['?', 'a'],
  ['?', '😀'],
  ['?', '\uD83D'],
  ['??', 'a😀'],
  ['é*', 'éa'],
  ['*é?', 'aéb'],
  ['/home/**', '/home/.ssh/id_rsa'],
  ['/home/**', '/home/'],
  ['**/.ssh/**', '/x/.ssh/y'],
  ['**/.ssh/**', '/.ssh/'],
  ['/a/*/c', '/a/b/c'],
  ['/a/**/c', '/a/b/b/c'],
  ['*.pem', '.pem'],
  ['a?c*e', 'abcdde'],
  ['**a**b**', 'xaybz'],
  ['**/*a*b*', 'x/yazb'],
  ['[id]', '[id]'],
  ['{a,b}', '{a,b}'],
  ['!rm', '!rm'],
  ['a\\*', 'a\\x'],
  ['**curl**', 'curl http://x/y'],
];

const MISSES: [pattern: string, value: string][] = [
  ['a', 'A'],
  ['a', 'ab'],
  ['a', ''],
  ['*', '/'],
  ['a*', 'a/'],
  ['a*b', 'a/b'],
  ['a*a', 'a'],
  ['aa**aa', 'aaa'],
  ['**aba**', 'ab'],
  ['ab**ba**ab', 'abbab'],
  ['?', ''],
  ['?', '/'],
  ['?', 'ab'],
  ['?', '😀😀'],
  ['/a/**/c', '/a/c'],
  ['**/x', 'x'],
  ['[id]', 'i'],
  ['{a,b}', 'a'],
  ['!rm', 'ls'],
  ['\\*', '*'],
];

describe('compileGlob', () => {
  it.each(HITS)('%j matches %j', (pattern, value) => {
    expect(compileGlob(pattern).matches(value)).toBe(true);
  });

  it.each(MISSES)('%j does not match %j', (pattern, value) => {
    expect(compileGlob(pattern).matches(value)).toBe(false);
  });

  it.each([
    ['abc', 'abc', 'abc', true],
    ['ab*c?d', 'ab', 'd', false],
    ['*', '', '', false],
    ['!rm', '!rm', '!rm', true],
    ['./x/*', './x/', '', false],
  ])('%j starts with %j and ends with %j', (pattern, literalPrefix, literalSuffix, isLiteral) => {
    expect(compileGlob(pattern)).toMatchObject({ pattern, literalPrefix, literalSuffix, isLiteral });
  });

  it.each([
    ['**/.ssh/**', '/.ssh/'],
    ['a*bcd?ef', 'bcd'],
    ['plain', 'plain'],
    ['**', ''],
  ])('%j has %j in all that it matches', (pattern, longestText) => {
    expect(compileGlob(pattern).longestText).toBe(longestText);
  });

  it('takes its prefix literally', () => {
    const glob = compileGlob('/*.ts', { prefix: '/odd*[dir]?' });
    expect(glob.matches('/odd*[dir]?/a.ts')).toBe(true);
    expect(glob.matches('/oddx[dir]y/a.ts')).toBe(false);
    expect(compileGlob('', { prefix: '/a' }).matches('/a')).toBe(true);
  });

  it.each([
    ['', 'an empty glob matches nothing'],
    ['a\0', 'a glob cannot contain a NUL character'],
  ])('refuses %j', (pattern, fault) => {
    expect(findGlobFault(pattern)).toBe(fault);
    expect(() => compileGlob(pattern)).toThrow(RangeError);
  });
});

describe('hazard 10: the documented glob, not that of picomatch', () => {
  it.each([
    ['/home/user/**', '/home/user/.ssh/id_rsa', true],
    ['!rm', 'ls', false],
    ['**curl**', 'curl http://x/y', true],
    ['**', 'a\nb', true],
    ['**', '', true],
    ['[id]', 'd', false],
    ['{a,b}', 'b', false],
  ])('%j against %j is %j', (pattern, value, expected) => {
    expect(compileGlob(pattern).matches(value)).toBe(expected);
  });

  it.each(['*a*a*a*b', '**a*b', '**/*a*b*', '*a*a*a*b*', `**${'?a*'.repeat(12)}b?`, `*${'a?*'.repeat(30)}b*`])(
    '%j comes to an end against 100 KB of "a"',
    (pattern) => {
      expect(compileGlob(pattern).matches('a'.repeat(100_000))).toBe(false);
    },
  );
});

import { describe, expect, it } from 'vitest';

import { compilePathPattern } from '../../../src/core/paths/path-pattern.ts';
import { MACOS, POSIX, WINDOWS } from '../../support/policy.ts';

describe('compilePathPattern', () => {
  it.each([
    ['/etc/**', '/etc', '/etc/a/b'],
    ['/etc/passwd', '/etc/passwd', '/etc/passwd'],
    ['/etc/', '/etc', '/etc'],
    ['/etc*', '/', '/etcetera'],
    ['/**', '/', '/x'],
    ['~/.ssh/**', '/home/user/.ssh', '/home/user/.ssh/id'],
    ['~', '/home/user', '/home/user'],
    ['~*/x', '/home/user/project', '/home/user/project/~a/x'],
    ['./src/*.ts', '/home/user/project/src', '/home/user/project/src/a.ts'],
    ['src/*/../x', '/home/user/project/src', '/home/user/project/src/x'],
    ['*/x', '/home/user/project', '/home/user/project/a/x'],
    ['/a/../b//*', '/b', '/b/c'],
    ['file:///home/a%20b/**', '/home/a b', '/home/a b/c'],
    ['file:///home/?/x', '/home', '/home/a/x'],
  ])('%j has the base %j and matches %j', (pattern, base, value) => {
    const compiled = compilePathPattern(pattern, POSIX);
    expect(compiled.base).toBe(base);
    expect(compiled.absolute?.matches(value)).toBe(true);
  });

  it('keeps an encoded star of a file: URI literal', () => {
    expect(compilePathPattern('file:///a%2a', POSIX).absolute?.matches('/abc')).toBe(false);
  });

  it('leaves a pattern that starts with ** as it is', () => {
    const { absolute, base, written, withBase } = compilePathPattern('**/.ssh/**', POSIX);
    expect([absolute, base]).toEqual([undefined, undefined]);
    expect(written.matches('/x/.ssh/y')).toBe(true);
    expect(withBase('/elsewhere')).toBe(written);
  });

  it.each([
    ['/link/**', '/real', '/real/x', true],
    ['/link/**', '/real', '/link/x', false],
    ['/**', '/', '/x', true],
    ['/link', '/real*', '/real*', true],
    ['/link', '/real*', '/really', false],
    ['/link/*', '/', '/x', true],
  ])('%j with the base %j: %j is %j', (pattern, base, value, expected) => {
    expect(compilePathPattern(pattern, POSIX).withBase(base).matches(value)).toBe(expected);
  });

  it('takes a working directory with stars in its name literally', () => {
    const { absolute } = compilePathPattern('./*.ts', { ...POSIX, cwd: '/w*' });
    expect(absolute?.matches('/w*/a.ts')).toBe(true);
    expect(absolute?.matches('/work/a.ts')).toBe(false);
  });

  it('folds like the file names it is compared with', () => {
    expect(compilePathPattern('~/Secret/**', MACOS).absolute?.matches('/users/user/secret/x')).toBe(true);
    expect(compilePathPattern('C:\\Secret\\**', WINDOWS).absolute?.matches('c:/secret/x')).toBe(true);
    expect(compilePathPattern('**/A\\b', WINDOWS).written.matches('c:/a/b')).toBe(true);
  });

  it('compiles a real base once, and not without bound', () => {
    const { withBase } = compilePathPattern('/link/**', POSIX);
    const first = withBase('/0');
    expect(withBase('/0')).toBe(first);
    for (let index = 1; index < 20; index += 1) withBase(`/${index}`);
    expect(withBase('/0')).not.toBe(first);
  });
});

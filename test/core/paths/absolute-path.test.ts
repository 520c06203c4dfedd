import { posix, win32 } from 'node:path';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { expandHome, normalizeSegments, toAbsolutePath } from '../../../src/core/paths/absolute-path.ts';
import { POSIX, WINDOWS } from '../../support/policy.ts';

const segments = (parts: string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((list) => list.join(''));

describe('toAbsolutePath', () => {
  it.each([
    ['/a/b', '/a/b'],
    ['/', '/'],
    ['', '/home/user/project'],
    ['.', '/home/user/project'],
    ['a', '/home/user/project/a'],
    ['../../../../x', '/x'],
    ['//a///b/./c/../d/', '/a/b/d'],
    ['~', '/home/user'],
    ['~/.ssh/', '/home/user/.ssh'],
    ['~root/x', '/home/user/project/~root/x'],
    ['/~/x', '/~/x'],
    ['...', '/home/user/project/...'],
    ['a\\b', '/home/user/project/a\\b'],
  ])('%j is %j', (text, absolute) => {
    expect(toAbsolutePath(text, POSIX)).toBe(absolute);
  });

  it.each([
    ['a\\b', 'C:/Users/user/project/a/b'],
    ['c:\\X\\..\\y', 'C:/y'],
    ['C:x', 'C:/Users/user/project/x'],
    ['D:x', 'D:/x'],
    ['\\x', 'C:/x'],
    ['\\\\host\\share\\x\\..', '//host/share'],
    ['\\\\?\\C:\\x', 'C:/x'],
    ['\\\\?\\UNC\\host\\share', '//host/share'],
    ['~\\.ssh', 'C:/Users/user/.ssh'],
    ['C:\\..\\..', 'C:/'],
  ])('%j is %j on Windows', (text, absolute) => {
    expect(toAbsolutePath(text, WINDOWS)).toBe(absolute);
  });

  it('agrees with node:path', () => {
    fc.assert(
      fc.property(segments(['/', '.', '..', 'a', 'b']), (text) => {
        expect(toAbsolutePath(text, POSIX)).toBe(posix.resolve(POSIX.cwd, text));
      }),
    );
  });

  it('agrees with node:path on Windows', () => {
    fc.assert(
      fc.property(segments(['\\', '/', '.', '..', 'a', 'b']), (text) => {
        // What starts with two slashes is a share, where the two differ in how they treat its name.
        fc.pre(!/^[\\/]{2}/.test(text));
        expect(toAbsolutePath(text, WINDOWS)).toBe(win32.resolve(WINDOWS.cwd, text).replaceAll('\\', '/'));
      }),
    );
  });
});

describe('expandHome', () => {
  it('leaves the tilde where no home is known', () => {
    expect(expandHome('~/x', { ...POSIX, home: '' })).toBe('~/x');
  });
});

describe('normalizeSegments', () => {
  it('is idempotent', () => {
    fc.assert(
      fc.property(segments(['/', '.', '..', 'a', 'b']), (text) => {
        const once = normalizeSegments(`/${text}`);
        expect(normalizeSegments(`/${once}`)).toBe(once);
      }),
    );
  });
});

import { describe, expect, it } from 'vitest';

import { foldPath, isPathLike, isPlainName, toPathForms } from '../../../src/core/paths/path-forms.ts';
import { MACOS, POSIX, WINDOWS } from '../../support/policy.ts';

describe('isPathLike', () => {
  it.each(['/x', '~', '~/x', './x', '..', 'a/b', '**/x', 'C:\\x', 'c:/x', 'file:x', 'FILE:///x', '\\\\host\\x'])(
    '%j is',
    (pattern) => {
      expect(isPathLike(pattern)).toBe(true);
    },
  );

  it.each(['**', '*', 'x', '*.pem', '.env', '...', 'C:', 'profile:x'])('%j is not', (pattern) => {
    expect(isPathLike(pattern)).toBe(false);
  });
});

describe('isPlainName', () => {
  it('tells names from what may be a path', () => {
    expect(['path', 'max_items', 'a-1'].every(isPlainName)).toBe(true);
    expect(['', 'a/b', '~', '.ssh', '-x', 'a b', '%2e'].some(isPlainName)).toBe(false);
  });
});

describe('foldPath', () => {
  it('follows the platform', () => {
    expect(foldPath('/É', 'posix')).toBe('/É');
    expect(foldPath('/E\u0301', 'macos')).toBe('/é');
    expect(foldPath('C:/A', 'windows')).toBe('c:/a');
  });
});

describe('hazard 7: every form of a path', () => {
  it.each([
    ['/etc/passwd', ['/etc/passwd']],
    ['/x/../etc//passwd/', ['/etc/passwd']],
    ['%2Fetc%2fpasswd', ['/etc/passwd', '/home/user/project/%2Fetc%2fpasswd']],
    ['%252Fetc', ['/etc']],
    ['file:///etc/passwd', ['/etc/passwd', '/home/user/project/file:/etc/passwd']],
    ['file:///etc/%70asswd?x', ['/etc/passwd', '/etc/passwd?x']],
    ['~/.ssh', ['/home/user/.ssh', '/home/user/project/~/.ssh']],
    ['..\\..\\x', ['/home/x', '/home/user/project/..\\..\\x']],
    ['', ['/home/user/project']],
  ])('%j may be %j', (text, paths) => {
    const { absolute, any } = toPathForms(text, POSIX);
    expect(absolute).toEqual(expect.arrayContaining(paths));
    expect(any).toEqual(expect.arrayContaining([text, ...paths]));
  });

  it.each([
    ['/etc/passwd', ['/etc/passwd']],
    ['~/x', ['/home/user/x']],
    ['~/../x', ['/home/x', '/home/user/project/x']],
    ['file:///etc/x', ['/etc/x']],
    ['file:///../x', ['/x', '/home/user/project/x']],
    ['a%2Fb', ['/home/user/project/a%2Fb', '/home/user/project/a/b']],
    ['file://other/x', undefined],
  ])('%j is certainly %j', (text, paths) => {
    expect(toPathForms(text, POSIX).certain).toEqual(paths);
  });

  it.each(['a\0b', 'a%00b', '%2500', 'file:///a%00'])('finds the NUL in %j', (text) => {
    expect(toPathForms(text, POSIX).hasNul).toBe(true);
  });

  it('folds case and Unicode form on macOS', () => {
    expect(toPathForms('/Users/E\u0301', MACOS).any).toContain('/users/é');
  });

  it.each(['C:\\x\\secret.txt.', 'C:\\x\\secret.txt ', 'c:/x/secret.txt::$DATA', 'C:\\x.\\SECRET.txt:stream'])(
    '%j is another name of a file on Windows',
    (text) => {
      const { any, certain } = toPathForms(text, WINDOWS);
      expect(any).toContain('c:/x/secret.txt');
      expect(certain).toBeUndefined();
    },
  );
});

import fc from 'fast-check';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAX_REAL_PATH, readLongText, shortenPath } from '../../../src/core/policy/long-text.ts';
import { toPathForms } from '../../../src/core/policy/path-forms.ts';
import type { PathContext } from '../../../src/core/policy/path-context.ts';

const POSIX: PathContext = { home: '/home/me', cwd: '/w', roots: [], platform: 'posix', remote: false };

const PADDING = './'.repeat(50_000);

describe('shortenPath', () => {
  it.each([
    ['/a/./b//c/', '/a/b/c'],
    ['a/../../b', '../b'],
    ['/..', '/'],
    ['~/x/../../.ssh', '~/../.ssh'],
    ['$HOME/../x', '$HOME/../x'],
    ['//host/share/./x', '//host/share/x'],
    [`${'a/'.repeat(100_000)}${'../'.repeat(100_000)}etc`, 'etc'],
    [`/${'a/'.repeat(100_000)}${'../'.repeat(100_001)}etc`, '/etc'],
  ])('%.40s is %j', (path, short) => {
    expect(shortenPath(path)).toBe(short);
  });

  it.each([`/${'a'.repeat(MAX_REAL_PATH + 1)}`, 'a/'.repeat(MAX_REAL_PATH), `x/${'y'.repeat(MAX_REAL_PATH)}`])(
    'gives up on %.10s…, which no system opens',
    (path) => {
      expect(shortenPath(path)?.length).toBeUndefined();
    },
  );

  it('climbs no further than any folder is deep', () => {
    expect(shortenPath(`${'../'.repeat(1_000_000)}etc`)?.length).toBeLessThan(MAX_REAL_PATH);
  });

  it('names what the path named', () => {
    const segment = fc.constantFrom('a', 'b', '..', '.', '', 'c d');
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 12 }), fc.boolean(), (segments, isAbsolute) => {
        const path = (isAbsolute ? '/' : '') + segments.join('/');
        expect(posix.resolve('/1/2/3/4/5/6/7/8/9/10/11/12', shortenPath(path) ?? '')).toBe(
          posix.resolve('/1/2/3/4/5/6/7/8/9/10/11/12', path),
        );
      }),
    );
  });
});

describe('long texts', () => {
  it.each([
    ['absolute', `/${PADDING}etc/passwd`, '/etc/passwd'],
    ['relative', `${PADDING}../etc/passwd`, '/etc/passwd'],
    ['in the home', `~/${PADDING}.ssh/id_rsa`, '/home/me/.ssh/id_rsa'],
    ['above the home', `~/${PADDING}../you`, '/home/you'],
    ['percent-encoded', `/${'%2e%2f'.repeat(20_000)}etc/%70asswd`, '/etc/passwd'],
    ['twice', `/${'%252e%252f'.repeat(20_000)}etc/passwd`, '/etc/passwd'],
    ['a file URI', `file:///${PADDING}etc/passwd`, '/etc/passwd'],
    ['with backslashes', `/${'.\\'.repeat(50_000)}etc\\passwd`, '/etc/passwd'],
    ['after a variable', `$HOME/${PADDING}x`, '/home/me/x'],
  ])('a path %s is seen through its padding', (_, text, path) => {
    const { any, absolute } = toPathForms(text, POSIX);
    expect(any).toContain(path);
    expect(absolute).toContain(path);
  });

  it('are read as sent, decoded and with slashes', () => {
    const content = `${'x'.repeat(100_000)} a\\.ssh\\b %41`;
    const { any, absolute, certain } = toPathForms(content, POSIX);
    expect(any).toContain(content);
    expect(any).toContain(content.replaceAll('\\', '/'));
    expect(any).toContain(content.replace('%41', 'A'));
    expect(absolute).toEqual([]);
    // No rule that allows a folder allows what is no path.
    expect(certain).toBeUndefined();
  });

  it('that are a path are allowed as one', () => {
    expect(toPathForms(`/p/${PADDING}x`, POSIX).certain).toEqual(['/p/x']);
  });

  it('say that they hold a NUL', () => {
    expect(toPathForms(`${PADDING}a\0`, POSIX).hasNul).toBe(true);
    expect(toPathForms(`${PADDING}a%00`, POSIX).hasNul).toBe(true);
  });

  it('that are URLs are tidied', () => {
    expect(readLongText(`HTTP://Host/${PADDING}x`, POSIX).short).toContain('http://host/x');
  });
});

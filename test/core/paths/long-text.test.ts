import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlob } from '../../../src/core/patterns/glob.ts';
import { readLongText } from '../../../src/core/paths/long-text.ts';
import { toPathForms } from '../../../src/core/paths/path-forms.ts';
import type { PathContext } from '../../../src/core/paths/absolute-path.ts';
import { runs } from '../../support/runs.ts';

const POSIX: PathContext = { home: '/home/me', cwd: '/w', roots: [], platform: 'posix', remote: false };

const PADDING = './'.repeat(50_000);

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
    const { long, absolute, certain } = toPathForms(content, POSIX);
    const isRead = (ending: string): boolean | undefined => long?.matches([compileGlob(`**x a${ending}`)]);
    expect(isRead('\\.ssh\\b %41')).toBe(true);
    expect(isRead('/.ssh/b %41')).toBe(true);
    expect(isRead('\\.ssh\\b A')).toBe(true);
    expect(isRead('/.ssh/b A')).toBe(true);
    expect(isRead('/.ssh\\b A')).toBe(false);
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

  it.each([
    ['at their beginning', `HTTP:\\\\Host/${'x'.repeat(40_000)}`, 'http://host/**'],
    ['in their middle', `http://h/a${'%2520'.repeat(40_000)}/b/../c d/e${'x'.repeat(40_000)}`, '**/c%20d/**'],
    ['at their end', `file:///${'x'.repeat(40_000)}/..${'/y'.repeat(40_000)}\\%2e%2e\\z \n`, '**/y/z'],
    ['after decoding', `${'%68ttp://H/%2e%2e/'}${'x'.repeat(40_000)}`, 'http://h/x**'],
    ['shorter as a path', `http://h${'/'.repeat(80_000)}x`, 'http:/h/x'],
  ])('that are URLs and stay long are tidied %s', (_, text, pattern) => {
    expect(matchesAny(text, pattern)).toBe(true);
    expect(matchesAny(text, `${pattern}!`)).toBe(false);
  });

  it('that are URLs are read as the parser of the platform prints them, whether that is long or short', () => {
    const part = fc.constantFrom(...'/ \\ . .. %2e %2E. C: c| ? # é \u{1F600} \uD83D a b // @ : "'.split(' '), ' ', '\t', '\n');
    const input = fc.tuple(
      fc.constantFrom('http://h', 'HTTPS:\\\\H:443', ' \0file:', 'fTp:h'),
      fc.array(part, { maxLength: 8 }),
      fc.constantFrom('/./', '/x', '/x/..'),
      fc.array(part, { maxLength: 8 }),
      fc.boolean(),
    );
    fc.assert(
      fc.property(input, ([start, before, padding, after, isKept]) => {
        const text = start + before.join('') + padding.repeat(20_000) + after.join('');
        const url = URL.parse(text)?.href;
        // What the parser refuses, such as a host with a space, is no URL.
        if (url === undefined) return;
        const { short, matches } = readLongText(text, POSIX, isKept ? Infinity : 0);
        const isFound = [`${url.slice(0, 100)}**`, `**${url.slice(-100)}`].every((glob) => matches([compileGlob(glob)]));
        expect(short.includes(url) || isFound).toBe(true);
      }),
      { numRuns: runs(100) },
    );
  });

  it('that are URLs to their parser only in part are texts', () => {
    const text = `http://a b/${'x'.repeat(70_000)}`;
    expect(matchesAny(text, '**a b/x**')).toBe(true);
    expect(matchesAny(text, '**a%20b/x**')).toBe(false);
  });
});

function matchesAny(text: string, pattern: string): boolean {
  const { any, long } = toPathForms(text, POSIX);
  const glob = compileGlob(pattern);
  return any.some((form) => glob.matches(form)) || long?.matches([glob]) === true;
}

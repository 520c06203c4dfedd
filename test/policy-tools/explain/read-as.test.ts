import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAs } from '../../../src/policy-tools/explain/read-as.ts';
import type { ReadingStep } from '../../../src/policy-tools/explain/explanation.ts';
import { createMatchContext, type MatchContext } from '../../../src/core/match/match-context.ts';
import type { PathContext } from '../../../src/core/match/paths-to-resolve.ts';
import { Reading } from '../../../src/core/match/reading.ts';
import { MACOS, POSIX, WINDOWS } from '../../support/policy.ts';
import { runs } from '../../support/runs.ts';

function contextFor(paths: PathContext, links: Readonly<Record<string, string>> = {}): MatchContext {
  return createMatchContext({}, { reading: new Reading(paths), realPaths: new Map(Object.entries(links)) });
}

describe('a form is told by the steps that make it', () => {
  it.each<[text: string, form: string, steps: readonly ReadingStep[]]>([
    ['/etc/passwd', '/etc/passwd', []],
    ['a', '/home/user/project/a', ['absolute']],
    ['~/.ssh/id', '/home/user/.ssh/id', ['home']],
    ['/etc//./x/../passwd', '/etc/passwd', ['tidied']],
    ['/etc%2Fpasswd', '/etc/passwd', ['decoded']],
    ['/etc%252Fpasswd', '/etc/passwd', ['decoded', 'decoded']],
    ['file:///etc/passwd', '/etc/passwd', ['file_uri']],
    ['file://elsewhere/etc/passwd', '/etc/passwd', ['foreign_file_uri']],
    ['$HOME/x', '/home/user/x', ['home_variable', 'home']],
    ['~root/x', '/root/x', ['home_of_other']],
    ['..\\x', '/home/user/x', ['slashes', 'absolute']],
    ['HTTP://Example.com/', 'http://example.com/', ['url']],
    ['/caf\u00e9', '/cafe\u0301', ['spelling']],
    ['~/../x', '/home/user/project/x', ['folder_name', 'absolute']],
  ])('%j as %j', (text, form, steps) => {
    expect(readAs(text, form, contextFor(POSIX))).toEqual(steps);
  });

  it('links of the disk, also where .. climbs out of one', () => {
    const context = contextFor(POSIX, { '/a/link': '/etc', '/a/link/../x': '/x' });
    expect(readAs('/a/link', '/etc', context)).toEqual(['links']);
    expect(readAs('/a/link/../x', '/x', context)).toEqual(['links']);
  });

  it('other names of a file on Windows', () => {
    expect(readAs('C:\\x\\secret.txt::$DATA', 'c:/x/secret.txt', contextFor(WINDOWS))).toContain('alias');
  });

  it('a long text is only said to be shortened', () => {
    expect(readAs('/./'.repeat(40_000), '/', contextFor(POSIX))).toEqual(['shortened']);
  });

  it('what is no form is said to be something else, in bounded time', () => {
    expect(readAs('file:%25%32%35~\\..\\é', 'nothing of the kind', contextFor(WINDOWS))).toEqual(['other']);
  });
});

const PART = fc.constantFrom(
  '/',
  '\\',
  '..',
  '.',
  '~',
  'a',
  'B',
  ' ',
  ':',
  '%2F',
  '%252e',
  '%41',
  'file:',
  'file://',
  'http://',
  'x@',
  'host',
  '$HOME',
  'é',
  '?q',
  '#f',
  '\udc80',
  '\0',
);

describe('every form that a text has is told', () => {
  it.each([
    ['posix', POSIX],
    ['posix with roots', { ...POSIX, roots: ['/srv/data'] }],
    ['macos', MACOS],
    ['windows', WINDOWS],
  ])('%s', (_name, paths) => {
    const texts = fc.array(PART, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        const context = contextFor(paths);
        for (const form of context.forms(text).any) expect([form, readAs(text, form, context)]).not.toContainEqual(['other']);
      }),
      { numRuns: runs(300) },
    );
  });
});

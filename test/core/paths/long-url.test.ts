import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UrlPlanner, UrlTidier } from '../../../src/core/paths/long-url.ts';
import { runs } from '../../support/runs.ts';

/** The URL in pieces of so many characters, cut between code points. */
function tidy(text: string, size: number): string | undefined {
  const chars = [...text];
  const pieces = Array.from({ length: Math.ceil(chars.length / size) }, (_, nth) =>
    chars.slice(nth * size, (nth + 1) * size).join(''),
  );
  // oxlint-disable-next-line no-control-regex
  const solidLength = text.replace(/[\0-\x20]+$/, '').length;
  const planner = new UrlPlanner(solidLength);
  for (const piece of pieces) planner.push(piece);
  const plan = planner.plan();
  if (plan === undefined) return undefined;
  const tidier = new UrlTidier(plan);
  return pieces.map((piece) => tidier.push(piece)).join('') + tidier.end();
}

const SCHEMES = fc.constantFrom('http:', 'HTTPS:', 'ws:', 'wss:', 'ftp:', 'file:', 'fi\nle:', ' \0file:', '\thttp:');
const SLASHES = fc.constantFrom('//', '', '/', '\\', '///', '/\\/', '////', '/\n/');
const HOSTS = fc.constantFrom(
  'h',
  '',
  'Host.Example',
  'u:p@h:80',
  'localhost',
  '0x7f.1',
  'C:',
  'c|',
  'a b',
  '[::1]',
  'é.com',
  'h:99999',
);
const PARTS = fc.constantFrom(
  ...'/ / / \\ . .. /.. /../ /./ %2e %2E. .%2e a b%20 % C: c| /C|/ ? # é \u{1F600} \uD83D \uDE00'.split(' '),
  ...'" <> ^ ` {} | \' \0 \x7f [ ] @ : // ~ …'.split(' '),
  ' ',
  '\t',
  '\n',
);

describe('a URL in pieces', () => {
  it.each([
    ['http://H/a/b/../c', 'http://h/a/c'],
    ['http:\\\\h\\a\\%2e%2E\\b c?d e#f g', 'http://h/b%20c?d%20e#f%20g'],
    ['http://h', 'http://h/'],
    ['http://h/a/..', 'http://h/'],
    ['http://h/../../a/.', 'http://h/a/'],
    ['http://h//a//../b', 'http://h//a/b'],
    ['file:x', 'file:///x'],
    ['file:///C|/../x', 'file:///C:/x'],
    ['file:///a/../C|/../../x', 'file:///C:/x'],
    ['file://C|/x', 'file:///C:/x'],
    ['http:', undefined],
  ])('%j is %j', (text, tidied) => {
    for (const size of [1, 2, 7, 1000]) expect(tidy(text, size)).toBe(tidied);
  });

  it('becomes what the parser of the platform makes of it', () => {
    const url = fc
      .tuple(SCHEMES, SLASHES, HOSTS, fc.array(PARTS, { maxLength: 12 }))
      .map(([scheme, slashes, host, parts]) => [scheme, slashes, host, ...parts].join(''));
    fc.assert(
      fc.property(url, fc.integer({ min: 1, max: 9 }), (text, size) => {
        expect(tidy(text, size)).toBe(URL.parse(text)?.href);
      }),
      { numRuns: runs(20_000) },
    );
  });

  it('keeps its drive as the parser does', () => {
    const part = fc.constantFrom('C|', 'd:', '..', 'a', '', '%2e');
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), SLASHES, (parts, slashes) => {
        const text = `file:${slashes}${parts.join('/')}`;
        expect(tidy(text, 3)).toBe(URL.parse(text)?.href);
      }),
      { numRuns: runs(5000) },
    );
  });

  it('may have as many segments as characters', () => {
    const text = `http://h/${'a/'.repeat(20_000)}x${'/..'.repeat(19_990)}/y`;
    expect(tidy(text, 1000)).toBe(URL.parse(text)?.href);
  });
});

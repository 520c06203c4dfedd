import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTarget } from '../../../src/transport/http/target.ts';

describe('what is a target', () => {
  const cases: [url: string, segments: string[], query: string][] = [
    ['/', [], ''],
    ['/?a=1', [], '?a=1'],
    ['/mcp', ['mcp'], ''],
    ['/mcp/', ['mcp', ''], ''],
    ['/mcp/name/secret?x=/../y', ['mcp', 'name', 'secret'], '?x=/../y'],
    ['/a?b?c', ['a'], '?b?c'],
    ['/a?q=100%', ['a'], '?q=100%'],
    ['/a%20b', ['a b'], ''],
    ['/%C3%A9', ['é'], ''],
    ['/a.b/.well-known/...', ['a.b', '.well-known', '...'], ''],
    ['/a;v=1', ['a;v=1'], ''],
    ['/100%25', ['100%'], ''],
    ['/a:b@c', ['a:b@c'], ''],
  ];
  it.each(cases)('%s', (url, segments, query) => {
    const end = url.indexOf('?');
    expect(parseTarget(url)).toEqual({ segments, path: end === -1 ? url : url.slice(0, end), query });
  });
});

describe('what is none', () => {
  const cases = [
    '',
    '*',
    'http://127.0.0.1/mcp',
    'HTTP://x/',
    'example.com:443',
    'mcp',
    '?a',
    '//mcp',
    '//example.com/mcp',
    '/mcp//a',
    '/mcp//',
    '/.',
    '/..',
    '/./a',
    '/a/./b',
    '/a/../b',
    '/a/..',
    '/a/%2e',
    '/a/%2E%2e/b',
    '/a/.%2e/b',
    '/a/%252e%252e/b',
    '/a/..;/b',
    '/a/..;x=1/b',
    '/a/%2e%2e%3b/b',
    '/a/..%20/b',
    '/a/%09../b',
    '/a%2fb',
    '/a%2Fb',
    '/a%252fb',
    '/a%5cb',
    '/a%255cb',
    '/a\\b',
    '/a%00',
    '/a%2500',
    '/a%0d%0ab',
    '/a%7f',
    '/a%C2%85',
    '/a b',
    '/a\u0000',
    '/a\r\nb',
    '/é',
    '/a#b',
    '/a?b#c',
    '/%',
    '/%2',
    '/%zz',
    '/%c0%ae%c0%ae/a',
    '/%E2%80%A5/a',
    '/%EF%BC%8E%EF%BC%8E/a',
    '/a%EF%BC%8Fb',
    '/a%EF%BC%BCb',
    '/a?\u0001',
  ];
  it.each(cases)('%j', (url) => {
    expect(parseTarget(url)).toBeTypeOf('string');
  });
});

describe('for any target', () => {
  const piece = fc.constantFrom(
    '/',
    '.',
    '..',
    '%2e',
    '%2F',
    '%5c',
    '%25',
    '%00',
    ';',
    '\\',
    '?',
    '#',
    'a',
    'B',
    '%',
    ' ',
    'é',
    '%41',
    '\n',
  );

  it('segments have no dots, slashes or control characters, and are what the URL class of the platform makes of it', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        const url = `/${pieces.join('')}`;
        const target = parseTarget(url);
        if (typeof target === 'string') return;
        expect(target.path + target.query).toBe(url);
        expect(new URL(url, 'http://localhost').pathname).toBe(target.path);
        expect(new URL(url, 'http://localhost').host).toBe('localhost');
        for (const segment of target.segments) {
          expect(['.', '..']).not.toContain(segment);
          expect(segment).not.toMatch(/[\u0000-\u001f\\/]/);
        }
      }),
    );
  });

  it('encoded segments come out as they were', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z][a-z é§+&=~]*[a-z]$/), { minLength: 1 }), (segments) => {
        const target = parseTarget(`/${segments.map(encodeURIComponent).join('/')}`);
        expect(target).toMatchObject({ segments });
      }),
    );
  });
});

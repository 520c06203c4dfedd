import { describe, expect, it } from 'vitest';

import { readSurrogateEscapes, readTexts, tidyUrl } from '../../../src/core/paths/path-readings.ts';
import { POSIX, WINDOWS } from '../../support/policy.ts';

const texts = (text: string): string[] => readTexts(text, POSIX).map((reading) => reading.text);

describe('readTexts', () => {
  it.each([
    ['/a/b', ['/a/b']],
    ['%2Fa', ['%2Fa', '/a']],
    ['$HOME/x', ['$HOME/x', '~/x']],
    // oxlint-disable-next-line no-template-curly-in-string
    ['${HOME}/x', ['${HOME}/x', '~/x']],
    ['$HOMER/x', ['$HOMER/x']],
    ['$XDG_CONFIG_HOME/x', ['$XDG_CONFIG_HOME/x', '~/.config/x']],
    ['%APPDATA%/x', ['%APPDATA%/x', '~/AppData/Roaming/x']],
    ['$env:USERPROFILE/x', ['$env:USERPROFILE/x', '~/x', 'USERPROFILE/x']],
    ['/a?raw', ['/a?raw', '/a']],
    ['what is it?', ['what is it?']],
    ['/a,b/c', ['/a,b/c', '/a', 'b/c']],
    ['/aa:/bb:ro', ['/aa:/bb:ro', '/aa', '/bb']],
    ['C:/a', ['C:/a', 'c:/a']],
    ['{"a": "/b"}', ['{"a": "/b"}']],
    ['See a/b: it is new, or so', ['See a/b: it is new, or so']],
    ['HTTP://Host:80/a', ['HTTP://Host:80/a', 'http://host/a']],
    [' /a\n', [' /a\n', '/a']],
    ['"$HOME/a"', ['"$HOME/a"', '$HOME/a', '~/a']],
    ['"', ['"']],
    ['/a.ts:12:3', ['/a.ts:12:3', '/a.ts']],
    ['/a.ts#L12-L15', ['/a.ts#L12-L15', '/a.ts']],
    ['http://h/a b', ['http://h/a b', 'http://h/a%20b', 'http://h/a b']],
  ])('reads %j as %j', (text, expected) => {
    expect([...new Set(texts(text))]).toEqual([...new Set(expected)]);
  });

  it.each([
    'http://2852039166/x',
    'http://0xA9FEA9FE/x',
    'http://0251.0376.0251.0376/x',
    'http://169.254.43518/x',
    'http://169.254.169.254./x',
    'http://a:b@169.254.169.254:80/x',
    'http:169.254.169.254/x',
    'http:\\\\169.254.169.254\\x',
    'http://①⑥⑨.254.169.254/x',
    'http://169%2e254%2e169%2e254/x',
    'ht\ntp://169.254.169.254/x',
    'http://[::ffff:169.254.169.254]/x',
    'http://[0:0:0:0:0:FFFF:A9FE:A9FE]/x',
    'http://[::169.254.169.254]/x',
    'http://[64:ff9b::a9fe:a9fe]/x',
    'http://[2002:a9fe:a9fe::1]/x',
    'http://169.254.169.254.nip.io/x',
    'http://a.b-169-254-169-254.sslip.io/x',
    'http://magic-a9fea9fe.nip.io/x',
  ])('reads %j as the address that it leads to', (text) => {
    expect(texts(text)).toContain('http://169.254.169.254/x');
  });

  it('takes a version, and a number alone, for no address', () => {
    expect(texts('http://a.test/1.2.3.4/x')).toEqual(['http://a.test/1.2.3.4/x']);
    expect(texts('http://v1.2.3.a.test/x')).toEqual(['http://v1.2.3.a.test/x']);
  });

  it('ends with long hosts and positions', () => {
    texts(`http://${'1.'.repeat(30_000)}/x`);
    texts(`http://${'1-'.repeat(30_000)}a/x`);
    expect(texts(`/${':1'.repeat(30_000)}`)).toHaveLength(2);
  });

  it('does not count the encoding of a URL against an allow rule', () => {
    const readings = readTexts('http://h/ä', POSIX);
    expect(readings.find(({ text }) => text.includes('%'))?.isUsual).toBe(false);
    expect(readings.filter(({ isUsual }) => isUsual).every(({ text }) => text === 'http://h/ä')).toBe(true);
  });
});

describe('tidyUrl', () => {
  it.each([
    ['DEMO://a/b', 'demo://a/b'],
    [' demo://a/b\n', 'demo://a/b'],
    ['de\tmo://a/b', 'demo://a/b'],
    ['file:etc/passwd', 'file:///etc/passwd'],
    ['file:///a\\..\\b', 'file:///b'],
    ['http://0x7f000001/', 'http://127.0.0.1/'],
    ['/etc/passwd', undefined],
    ['http://', undefined],
  ])('%j is %j', (text, expected) => {
    expect(tidyUrl(text, POSIX)).toBe(expected);
  });

  it('leaves drives alone', () => {
    expect(tidyUrl('C:\\x', WINDOWS)).toBeUndefined();
  });
});

describe('readSurrogateEscapes', () => {
  it.each([
    ['caf\udcc3\udca9', 'café'],
    ['😀', '😀'],
    ['\ud83d', '\ud83d'],
    ['\udcff', '\ufffd'],
  ])('%j is %j', (text, expected) => {
    expect(readSurrogateEscapes(text)).toBe(expected);
  });
});

import { describe, expect, it } from 'vitest';
import { findForms } from '../../../src/core/dlp/find-forms.ts';
import { SECRET_SAMPLES } from './secret-samples.ts';

function found(text: string, isCut = false): [kind: string, secret: string][] {
  return findForms(text, isCut).map(({ start, end, kind }) => [kind, text.slice(start, end)]);
}

describe('findForms', () => {
  it.each(SECRET_SAMPLES)('$kind: just it, and no more', ({ kind, secret }) => {
    expect(found(`(${secret})`)).toEqual([[kind, secret]]);
  });

  it('finds all that are in a text', () => {
    const text = SECRET_SAMPLES.map(({ secret }) => secret).join(' ');
    expect(found(text)).toEqual(SECRET_SAMPLES.map(({ kind, secret }) => [kind, secret]));
  });

  it('a key without an end goes as far as it could be one', () => {
    expect(found('-----BEGIN PRIVATE KEY-----\nMIIE\n; ls')).toEqual([['private_key', '-----BEGIN PRIVATE KEY-----\nMIIE\n']]);
  });

  it('a key goes up to its end, whatever stands in between', () => {
    const key = '-----BEGIN PRIVATE KEY-----\n> MIIE"\n> | AAAA\n> -----END PRIVATE KEY-----';
    expect(found(`${key} and ${key}!`)).toEqual([
      ['private_key', key],
      ['private_key', key],
    ]);
  });

  it.each([
    ['x eyJhbGci', 'jwt', 'eyJhbGci'],
    ['x_eyJhbGci', 'jwt', 'eyJhbGci'],
    ['https://me:pa', 'url_password', 'me:pa'],
  ])('counts %j only where the text is cut there', (text, kind, secret) => {
    expect(found(text, false)).toEqual([]);
    expect(found(text, true)).toEqual([[kind, secret]]);
  });

  it.each(['eyJhbGci x', 'https://host/path', 'https://me:pa x', 'plain'])('%j ends in no secret', (text) => {
    expect(found(text, true)).toEqual([]);
  });
});

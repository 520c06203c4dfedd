import { describe, expect, it } from 'vitest';
import { base64Texts, DECODINGS } from '../../../../src/core/flow/values/decodings.ts';

const TEXT = 'Grüße an alle, wie immer';

function decode(name: string, text: string): string | undefined {
  return DECODINGS.find((decoding) => decoding.name === name)?.decode(text);
}

describe('DECODINGS', () => {
  it.each([
    ['url', encodeURIComponent(TEXT)],
    ['url', `100% sure: ${encodeURIComponent(TEXT)}`],
    ['escaped', JSON.stringify(TEXT).replaceAll('ü', '\\u00fc').replaceAll('ß', '\\xdf')],
    ['codes', [...TEXT].map((letter) => `&#${letter.charCodeAt(0)};`).join('')],
    ['codes', [...TEXT].map((letter) => `&#x${letter.charCodeAt(0).toString(16)}`).join('')],
    ['codes', [...TEXT].map((letter) => `\\u{${letter.charCodeAt(0).toString(16)}}`).join('')],
    ['codes', Array.from(Buffer.from(TEXT), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')],
    [
      'codes',
      Array.from(Buffer.from(TEXT), (byte) => `=${byte.toString(16).toUpperCase()}`)
        .join('')
        .replace(/.{60}/, '$&=\r\n'),
    ],
    ['codes', `codes: ${[...TEXT].map((letter) => letter.charCodeAt(0)).join(', ')}.`],
    ['hex', `id=${Buffer.from(TEXT).toString('hex')}`],
    ['hex', `f${Buffer.from(TEXT).toString('hex').toUpperCase()}`],
    ['hex', Buffer.from(TEXT).toString('hex').replaceAll(/../g, '0x$&, ')],
    ['hex', Buffer.from(TEXT).toString('hex').replaceAll(/../g, '\\x$&')],
    ['hex', Buffer.from(TEXT).toString('hex').replaceAll(/../g, '$&\n')],
    ['hex', Buffer.from(TEXT).toString('hex').replaceAll(/../g, '$&.')],
    ['hex', Buffer.from(TEXT).toString('hex').replaceAll(/../g, '0x$&; ')],
    ['base64', Buffer.from(TEXT).toString('base64')],
    ['base64', `see/${Buffer.from(TEXT).toString('base64url')}!`],
    ['base64', Buffer.from(TEXT).toString('base64').replaceAll(/.{20}/g, '$&\n')],
  ])('%s: %s', (name, text) => {
    expect(decode(name, text)).toContain(TEXT);
  });

  it('base64 of UTF-16, as shells of Windows take it', () => {
    expect(decode('base64', Buffer.from(TEXT, 'utf16le').toString('base64'))?.replaceAll('\0', '')).toContain(
      'an alle, wie immer',
    );
  });

  it.each([
    ['url', 'plain, 100% of it'],
    ['escaped', 'plain'],
    ['codes', 'a=10, b=20 & C:\\new\\123, then 10, 20, 30'],
    ['hex', 'deadbeef'],
    ['base64', 'short'],
  ])('%s has nothing in %j', (name, text) => {
    expect(decode(name, text)).toBeUndefined();
  });
});

describe('base64Texts', () => {
  it('reads text and leaves out what is none', () => {
    const binary = Buffer.from(Uint8Array.from({ length: 90 }, (_, index) => (index * 89) % 256)).toString('base64');
    expect(base64Texts(`${binary} ${Buffer.from(TEXT.repeat(3)).toString('base64')}`)).toBe(TEXT.repeat(3));
  });
});

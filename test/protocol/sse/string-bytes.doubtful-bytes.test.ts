import { describe, expect, it } from 'vitest';
import { hasDoubtfulBytes, isPrintable } from '../../../src/protocol/sse/string-bytes.ts';

function isDoubtful(bytes: Buffer): boolean {
  return hasDoubtfulBytes(bytes, 0, bytes.length);
}

describe('hasDoubtfulBytes', () => {
  it('knows, of the characters of the first plane, those that end lines for str.splitlines and the byte order mark', () => {
    const found: number[] = [];
    for (let code = 0; code < 0x10000; code++) {
      if (code < 0xd800 || code > 0xdfff) if (isDoubtful(Buffer.from(`a${String.fromCharCode(code)}b`))) found.push(code);
    }
    // LF and CR end lines for everybody, and so are never within one.
    expect(found).toEqual([0x0b, 0x0c, 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029, 0xfeff]);
  });

  it.each([[[0xc2]], [[0xe2, 0x80]], [[0xef, 0xbb]]])('a character that the end cuts off (%j) is none', (bytes) => {
    const whole = Buffer.from([...bytes, bytes[0] === 0xef ? 0xbf : bytes[0] === 0xe2 ? 0xa8 : 0x85]);
    expect(isDoubtful(whole)).toBe(true);
    expect(hasDoubtfulBytes(whole, 0, whole.length - 1)).toBe(false);
    expect(hasDoubtfulBytes(whole, 1, whole.length)).toBe(false);
  });
});

it.each([
  ['', true],
  [' az~', true],
  ['a\t', false],
  ['\x7f', false],
  ['é', false],
  ['\0', false],
])('isPrintable(%j) is %j', (text, expected) => {
  const bytes = Buffer.from(`\n${text}\n`);
  expect(isPrintable(bytes, 1, bytes.length - 1)).toBe(expected);
});

import { describe, expect, it } from 'vitest';
import { encodeUrlPart } from '../../../src/core/paths/long-url.ts';

describe('encodeUrlPart', () => {
  it.each([
    ['path', "a b'<é>%20~", "a%20b'%3C%C3%A9%3E%20~"],
    ['query', "a b'\u{1F600}`", 'a%20b%27%F0%9F%98%80`'],
    ['fragment', "a b'`", "a%20b'%60"],
  ] as const)('encodes in a %s: %j', (part, text, encoded) => {
    expect(encodeUrlPart(text, part)).toBe(encoded);
  });
});

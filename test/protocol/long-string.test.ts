import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeLongString } from '../../src/protocol/long-string.ts';

function decode(json: string): string | undefined {
  const bytes = Buffer.from(`[${json}]`);
  const [ours, native] = [0, undefined].map((big) => decodeLongString(bytes, 1, bytes.length - 1, big));
  expect(ours).toBe(native);
  return ours;
}

describe('decodeLongString', () => {
  it.each([
    '""',
    '"plain"',
    '"é中😀"',
    String.raw`"\"\\\/\b\f\n\r\t"`,
    String.raw`"\u0000\u00e9\u4E2D\ud83d\ude00"`,
    String.raw`"é\u00e9\n中"`,
    String.raw`"\ud83d"`,
    String.raw`"\ude00\ud83d"`,
    String.raw`"\ud83d\u0041"`,
    String.raw`"\ud83d\n"`,
  ])('reads %s as JSON.parse does', (json) => {
    expect(decode(json)).toBe(JSON.parse(json));
  });

  it.each([
    String.raw`"\x41"`,
    String.raw`"\u12"`,
    String.raw`"\u12G4"`,
    String.raw`"a\u"`,
    String.raw`"\ud83d\u12"`,
    '"\t"',
    '"\u0000"',
    '"a\\u0"',
  ])('refuses %j', (json) => {
    expect(() => JSON.parse(json) as unknown).toThrow(SyntaxError);
    expect(decode(json)).toBeUndefined();
  });

  it('sees each byte, wherever the string begins in memory', () => {
    for (let before = 0; before < 8; before++) {
      for (let length = 1; length < 20; length++) {
        for (let at = 0; at < length; at++) {
          const textWith = (character: string): string => 'a'.repeat(at) + character + '\u007f'.repeat(length - 1 - at);
          for (const character of [' ', 'é', '\u001f', '\0']) {
            const bytes = Buffer.from(`${' '.repeat(before)}"${textWith(character)}"`);
            const expected = character < ' ' ? undefined : textWith(character);
            expect(decodeLongString(bytes, before, bytes.length, 0)).toBe(expected);
          }
        }
      }
    }
  });

  it('reads whatever JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, isAscii) => {
        const json = JSON.stringify(text);
        const escaped = json.replace(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
        expect(decode(isAscii ? escaped : json)).toBe(text);
      }),
    );
  });

  it('agrees with JSON.parse about any bytes between quotes', () => {
    const piece = fc.constantFrom('a', '\\', '"', 'u', 'n', '0041', 'd83d', 'dc00', '\\u', '\\ud83d', 'é', '😀', '\n', '\u007f');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const json = `"${pieces.join('')}"`;
        // The scanner has found the closing quote, so an escape is never cut off by it.
        fc.pre(/^"(?:[^"\\]|\\.)*"$/s.test(json));
        let expected: unknown;
        try {
          expected = JSON.parse(json);
        } catch {
          expected = undefined;
        }
        expect(decode(json)).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringBytesEnd, stringBytesText } from '../../../src/protocol/sse/string-bytes.ts';

function read(text: string): string | undefined {
  const bytes = Buffer.from(`"${text}`);
  const end = stringBytesEnd(bytes, 1, bytes.length);
  return end === -1 ? undefined : stringBytesText(bytes, 1, end);
}

describe('the bytes of a string', () => {
  it('are read as JSON says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(read(`${JSON.stringify(text).slice(1)}, "x"`)).toBe(
          /[\u0085\u2028\u2029\ufeff]/.test(text) ? undefined : text.toWellFormed(),
        );
      }),
    );
  });

  it.each(['\u0085', '\u2028', '\u2029', '\ufeff'])(
    'are not read where %j is in them, at which some readers end a line',
    (character) => {
      expect(read(`a${character}b"`)).toBeUndefined();
      expect(read(`a\u2027\u202a\u00a9\uff01b"`)).toBe('a\u2027\u202a\u00a9\uff01b');
    },
  );

  it.each(['', 'a', 'a\\"', '\\', 'a\\u12', String.raw`\u12g4"`, String.raw`\x"`, 'a\nb"', 'a\u0000"'])(
    '%j has no end',
    (text) => {
      expect(read(text)).toBeUndefined();
    },
  );
});

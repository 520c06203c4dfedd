import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeEncodings } from '../../../../../src/core/detect/normalise/decode/decode-encodings.ts';

function decoded(text: string): string[] {
  return decodeEncodings(text).map(({ hiding, text: inside }) => `${hiding}: ${inside}`);
}

const BASE64 = Buffer.from('read the file and send it').toString('base64');
const HEX = Buffer.from('read the file').toString('hex');

describe('decodeEncodings', () => {
  it.each([
    [`x ${BASE64} y`, 'base64: read the file and send it'],
    [`"${BASE64}"`, 'base64: read the file and send it'],
    [`x=${BASE64}\nDone`, 'base64: read the file and send it'],
    [`${BASE64.slice(0, 16)}\n  ${BASE64.slice(16, 32)}\n${BASE64.slice(32)}`, 'base64: read the file and send it'],
    [Buffer.from(BASE64).toString('base64'), 'base64: read the file and send it'],
    [Buffer.from(HEX).toString('base64'), 'base64: read the file'],
    [HEX, 'hex: read the file'],
    [HEX.toUpperCase(), 'hex: read the file'],
    [HEX.replaceAll(/../g, String.raw`\x$&`), 'hex: read the file'],
    [HEX.replaceAll(/../g, '0x$&, '), 'hex: read the file'],
    [HEX.replaceAll(/..(?=.)/g, '$&:'), 'hex: read the file'],
  ])('%j', (text, expected) => {
    expect(decoded(text)).toContain(expected);
  });

  it('wherever it stands, and beside whatever', () => {
    const words = fc.stringMatching(/^[a-z]{3,7}[?>]?(?: [a-z]{3,7}[?>]?){3,8}$/);
    const write = fc.constantFrom<readonly [string, (bytes: Buffer) => string]>(
      ['base64', (bytes) => bytes.toString('base64')],
      ['base64', (bytes) => bytes.toString('base64url')],
      ['hex', (bytes) => bytes.toString('hex')],
      [
        'hex',
        (bytes) =>
          bytes
            .toString('hex')
            .toUpperCase()
            .replaceAll(/..(?=.)/g, '$& '),
      ],
      ['decimal', (bytes) => [...bytes].join(', ')],
      ['binary', (bytes) => Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join(' ')],
    );
    const before = fc.constantFrom('', 'Note: ', 'x=', '(', '"', '\n', '\u3000', '\u{1F600} ', 'a, b ', `${'z '.repeat(40)}`);
    const behind = fc.constantFrom('', ')', '"', ' then', '\n\nThen', '\u3002', '; more', ` ${'q '.repeat(40)}`);
    fc.assert(
      fc.property(words, write, before, behind, (said, [hiding, encode], front, end) => {
        expect(decoded(front + encode(Buffer.from(said)) + end)).toContain(`${hiding}: ${said}`);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    'getUserInformationFromDatabase',
    'src/core/detect/normalise/decode.ts',
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '550e8400-e29b-41d4-a716-446655440000',
    'ffffffffffffffffffffffff',
    'deadbeef cafe babe',
  ])('not in %j', (text) => {
    expect(decoded(text)).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { decodeString, foldKey } from '../../src/protocol/json-key.ts';

function decode(text: string): string | undefined {
  const bytes = Buffer.from(`--${text}--`);
  return decodeString(bytes, 2, bytes.length - 2);
}

describe('decodeString', () => {
  it.each([
    ['"method"', 'method'],
    ['""', ''],
    ['"na\\u006de"', 'name'],
    ['"\u00fc"', 'ü'],
    ['"a\\"b"', 'a"b'],
  ])('reads %s', (text, expected) => {
    expect(decode(text)).toBe(expected);
  });

  it.each(['"\\x41"', '"\\u12"', '"a\u0001b"'])('gives undefined for the invalid %s', (text) => {
    expect(decode(text)).toBeUndefined();
  });
});

describe('foldKey', () => {
  it.each([
    ['Method', 'method'],
    ['PARAMS', 'params'],
    ['param\u017f', 'params'],
    ['to\u212aen', 'token'],
    ['\u0130d', 'id'],
    ['id\0', 'id'],
    ['id\0junk', 'id'],
  ])('folds %j to %j', (key, folded) => {
    expect(foldKey(key)).toBe(folded);
  });

  it('keeps other keys apart', () => {
    expect(foldKey('methods')).not.toBe(foldKey('method'));
    expect(foldKey(' id')).not.toBe(foldKey('id'));
  });
});

import { describe, expect, it } from 'vitest';
import { DIGIT, letterKind, LOWER, lowerCase, NOTHING, plainText, UPPER } from '../../../../src/core/flow/values/letters.ts';

describe('letterKind', () => {
  it.each([
    ['0', DIGIT],
    ['a', LOWER],
    ['Z', UPPER],
    ['ü', LOWER],
    ['ж', LOWER],
    ['漢', LOWER],
    ['_', NOTHING],
    ['\0', NOTHING],
    ['\u200b', NOTHING],
    ['\u034f', NOTHING],
    ['\u3164', NOTHING],
    ['\ufeff', NOTHING],
    ['、', NOTHING],
    ['\ud83d', NOTHING],
    ['\ufffd', NOTHING],
    ['×', NOTHING],
  ])('%j', (letter, kind) => {
    expect(letterKind(letter.charCodeAt(0))).toBe(kind);
  });
});

describe('plainText and lowerCase', () => {
  it('make one of what looks the same, and keep the length of what is plain', () => {
    expect(lowerCase(plainText('ＡＢＣ ﬁ É'))).toBe('abc fi é');
    expect(plainText('a\u{e0062}\u{e0020}\u{e0043}\u{1f600}')).toBe('ab C\u{1f600}');
    expect(lowerCase('Aİb')).toBe('aib');
  });
});

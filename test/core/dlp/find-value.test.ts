import { describe, expect, it } from 'vitest';
import { findValue } from '../../../src/core/dlp/find-value.ts';

function found(text: string, kind = 'password', isHeader = false): string[] {
  return findValue(text, { kind, start: 0, isHeader }).map(({ start, end }) => text.slice(start, end));
}

describe('findValue', () => {
  it.each([
    ['abc def', ['abc']],
    ['abc', ['abc']],
    ['', []],
    [' abc', []],
    ['"a b" c', ['a b']],
    ["'a b' c", ['a b']],
    ['`a b` c', ['a b']],
    ['"a b', ['a b']],
    ['"a\\"b" c', ['a\\"b']],
    ['"a\\\\" c', ['a\\\\']],
    ['\\"a b\\" c', ['a b']],
    ['\\"a\\\\\\"b\\" c', ['a\\\\\\"b']],
    ['\\"a b" ', ['a b']],
    ['\\\\\\"a b\\\\\\" c', ['a b']],
    [`ab"c d"'e' f`, [`ab"c d"'e'`]],
    [`"ab"cd e`, [`"ab"cd`]],
    ['abc;def', ['abc']],
    ['abc&def', ['abc&def']],
    ['abc&def=g', ['abc']],
    ['["a", "b c"], d', ['a', 'b c']],
    ["['a','b'", ['a', 'b']],
    ['("a", "b")', ['a', 'b']],
    ['[abc]', ['[abc]']],
    ['(abc)', ['(abc)']],
    ['{a;b c} d', ['{a;b c}']],
    ['{{name}}', []],
    ['{ a: 1 }', []],
    ['{\\"a\\": \\"b\\"}', []],
    ['{"a": "b"}', []],
    ['$NAME x', []],
    ['${name} x', []],
    ['$(cat x)', ['$(cat']],
    ['$ecret', ['$ecret']],
    ['""', []],
  ])('%j', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each([
    ['authorization', 'Bearer abc def', ['abc']],
    ['authorization', 'basic abc', ['abc']],
    ['authorization', 'abc def ghi', ['abc def']],
    ['authorization', 'abc --flag', ['abc']],
    ['authorization', '"Bearer abc" x', ['Bearer abc']],
    ['cookie', 'a=b; c="d e"; Path=/ x', ['a=b; c="d e"; Path=/']],
    ['cookie', 'abc def', ['abc']],
    ['password', 'abc def', ['abc']],
  ])('the header %s: %s', (kind, text, expected) => {
    expect(found(text, kind, true)).toEqual(expected);
  });
});

import { expect, it } from 'vitest';
import {
  asIs,
  cutMiddle,
  namesIn,
  shortHash,
  toHyphenated,
  toWord,
} from '../../../../src/protocol/llm/tool-names/client-style.ts';

it('replaces what may not be in a name, one for one', () => {
  expect(toWord('a-b.c é😀')).toBe('a_b_c___');
  expect(toHyphenated('a-b.c é😀')).toBe('a-b_c____');
  expect(asIs('a b')).toBe('a b');
});

it('cuts what is too long, and nothing else', () => {
  const parts = { head: 2, middle: '..', tail: 3 };
  expect(['abcdefg', 'abcdefgh'].map((name) => cutMiddle(name, 7, parts))).toEqual(['abcdefg', 'ab..fgh']);
});

it('hashes as sha1sum does', () => {
  expect(shortHash('abc', 12)).toBe('a9993e364706');
});

it('reads lists', () => {
  expect([...namesIn('\n  a b\n  c\n')]).toEqual(['a', 'b', 'c']);
});

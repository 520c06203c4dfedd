import { describe, expect, it } from 'vitest';
import { namesOf, writeKey, writeQuoted } from '../../../src/policy-tools/format/write-value.ts';
import { parseTomlSyntax } from '../../../src/core/policy/toml-layout.ts';

function pairOf(text: string) {
  const [node] = parseTomlSyntax(text)?.body[0].body ?? [];
  if (node?.type !== 'TOMLKeyValue') throw new Error('no pair');
  return node;
}

describe('a key', () => {
  it.each([
    ['a . b', 'a.b', ['a', 'b']],
    ['"a-1"."**"', 'a-1."**"', ['a-1', '**']],
    ["'a'.'/x.y'", 'a."/x.y"', ['a', '/x.y']],
    [String.raw`'a"b'.'c\d'."\u0061".""`, String.raw`'a"b'.'c\d'.a.""`, ['a"b', String.raw`c\d`, 'a', '']],
  ])('%s is written %s', (key, written, names) => {
    const text = `${key} = 1`;
    expect(writeKey(pairOf(text).key, text)).toBe(written);
    expect(namesOf(pairOf(text).key)).toEqual(names);
  });
});

describe('a string', () => {
  it.each([
    ["'x'", '"x"'],
    ["''", '""'],
    [String.raw`'x\.y'`, String.raw`'x\.y'`],
    [`'say "x"'`, `'say "x"'`],
    ["'a\tb'", "'a\tb'"],
    [String.raw`"\u0041\n"`, String.raw`"\u0041\n"`],
    ["'''x'''", "'''x'''"],
    ['"""\nx"""', '"""\nx"""'],
  ])('%s is written %s', (string, written) => {
    const text = `a = ${string}`;
    const { value } = pairOf(text);
    expect(value.type === 'TOMLValue' && value.kind === 'string' && writeQuoted(value, text)).toBe(written);
  });
});

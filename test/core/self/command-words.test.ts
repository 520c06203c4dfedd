import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCommand, shellWords } from '../../../src/core/self/command-words.ts';

describe('shellWords', () => {
  it.each<[string, string[]]>([
    ['', []],
    ['  a  b\tc ', ['a', 'b', 'c']],
    [`a'b'"c"d`, ['abcd']],
    [`'a b' "c d" e\\ f`, ['a b', 'c d', 'e f']],
    [`'a\\b' "a\\"b" "a\\b" a\\b`, ['a\\b', 'a"b', 'a\\b', 'ab']],
    ['a;b|c&&d', ['a', ';', 'b', ';', 'c', ';', ';', 'd']],
    ['a >b c 2>&1 d', ['a', 'c', 'd', ';', 'b', '1']],
    ['a <b;c', ['a', ';', 'c', ';', 'b']],
    ['a\\\nb', ['ab']],
    ['a\nb', ['a', ';', 'b']],
    [`$'a' $"b" $c`, ['a', 'b', '$c']],
    [`"" ''`, ['', '']],
    [`a 'b c`, ['a', 'b c']],
    ['a\\', ['a\\']],
  ])('%j is %j', (text, words) => {
    expect(shellWords(text)).toEqual(words);
  });

  it('any word in quotes comes out as it was', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (words) => {
        const text = words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
        expect(shellWords(text)).toEqual(words);
      }),
    );
  });
});

describe('readCommand', () => {
  it('looks into quotes, also within quotes, and between brackets', () => {
    expect(readCommand(`sh -c "bash -c 'a b'"`)).toEqual([
      ['sh', '-c', "bash -c 'a b'"],
      ['bash', '-c', 'a b'],
      ['a', 'b'],
      ['sh', '-c', 'bash', '-c', 'a', 'b'],
    ]);
    expect(readCommand('run(["a","b"])').at(-1)).toEqual(['run', 'a', 'b']);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readShellLine } from '../../../src/core/shell/shell-line.ts';

/** Each command as its words, and behind a `>` the files that it is redirected to. */
function read(text: string): string[][] {
  return readShellLine(text).map(({ words, redirected }) => [
    ...words.map((word) => word.text),
    ...(redirected.length === 0 ? [] : ['>', ...redirected.map((word) => word.text)]),
  ]);
}

describe('readShellLine', () => {
  it.each<[string, string[][]]>([
    ['', [[]]],
    ['  a  b\tc ', [['a', 'b', 'c']]],
    [`a'b'"c"d`, [['abcd']]],
    [`'a b' "c d" e\\ f`, [['a b', 'c d', 'e f']]],
    [`'a\\b' "a\\"b" "a\\b" a\\b`, [['a\\b', 'a"b', 'a\\b', 'ab']]],
    ['a;b|c&&d', [['a'], ['b'], ['c'], [], ['d']]],
    ['a >b c 2>&1 d', [['a', 'c', 'd', '>', 'b', '1']]],
    ['a <b;c', [['a', '>', 'b'], ['c']]],
    ['a\\\nb', [['ab']]],
    ['a\nb', [['a'], ['b']]],
    [`$'a' $"b" $c`, [['a', 'b', '$c']]],
    [`"" ''`, [['', '']]],
    [`a 'b c`, [['a', 'b c']]],
    ['a\\', [['a\\']]],
  ])('%j is %j', (text, commands) => {
    expect(read(text)).toEqual(commands);
  });

  it('knows what a command comes after, where its words stand, and which were in quotes', () => {
    expect(readShellLine('a && b || c; d').map(({ after, words }) => [after, words[0]?.text])).toEqual([
      ['', 'a'],
      ['&', undefined],
      ['&&', 'b'],
      ['|', undefined],
      ['||', 'c'],
      [';', 'd'],
    ]);
    expect(readShellLine(`a 'b c'd`)[0]?.words).toEqual([
      { text: 'a', start: 0, end: 1, isQuoted: false },
      { text: 'b cd', start: 2, end: 8, isQuoted: true },
    ]);
  });

  it('any word in quotes comes out as it was', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (words) => {
        const text = words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
        expect(read(text)).toEqual([words]);
      }),
    );
  });
});

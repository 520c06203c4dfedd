import { expect, it } from 'vitest';
import { wrapWords } from '../../../src/cli/terminal/wrap-words.ts';

it.each<[text: string, width: number, lines: string[]]>([
  ['', 10, ['']],
  ['one two', 7, ['one two']],
  ['one two', 6, ['one', 'two']],
  ['a /very/long/path b', 8, ['a', '/very/long/path', 'b']],
  ['/very/long/path b', 8, ['/very/long/path', 'b']],
  ['run `a b c` now', 8, ['run', '`a b c`', 'now']],
  ['run `a b c`, or `d e` too', 10, ['run', '`a b c`,', 'or `d e`', 'too']],
  ['`a b c d` `e', 6, ['`a b c', 'd` `e']],
  ['one two three', Infinity, ['one two three']],
])('%j at %d', (text, width, lines) => {
  expect(wrapWords(text, width)).toEqual(lines);
});

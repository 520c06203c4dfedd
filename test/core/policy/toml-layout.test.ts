import { expect, it } from 'vitest';
import { parseTomlSyntax } from '../../../src/core/policy/toml-layout.ts';

it('tells how a text is written, with its comments', () => {
  const program = parseTomlSyntax('a = 1 # one\n');
  expect(program?.body[0].body.map(({ type }) => type)).toEqual(['TOMLKeyValue']);
  expect(program?.comments.map(({ range }) => range)).toEqual([[6, 11]]);
});

it.each(['a =', '[', 'a = 1\na = 2', '"'])('%j is no TOML', (text) => {
  expect(parseTomlSyntax(text)).toBeUndefined();
});

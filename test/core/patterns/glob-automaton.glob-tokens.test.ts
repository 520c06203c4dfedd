import { expect, it } from 'vitest';

import { tokenizeGlob } from '../../../src/core/patterns/glob-automaton.ts';

it.each([
  ['', []],
  ['abc', [{ kind: 'text', text: 'abc' }]],
  ['a*', [{ kind: 'text', text: 'a' }, { kind: 'star' }]],
  ['**', [{ kind: 'globstar' }]],
  ['***?*', [{ kind: 'globstar' }, { kind: 'one' }, { kind: 'star' }]],
  ['[*]\n😀', [{ kind: 'text', text: '[' }, { kind: 'star' }, { kind: 'text', text: ']\n😀' }]],
])('splits %j', (pattern, tokens) => {
  expect(tokenizeGlob(pattern)).toEqual(tokens);
});

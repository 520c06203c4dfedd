import { expect, it } from 'vitest';
import type { Category } from '../../../src/core/call.ts';
import { addPhrases, phraseWords } from '../../../src/core/classify/verbs.ts';

it.each([
  ['x to email', 'send'],
  ['x to my webhook', 'send'],
  ['to email', ''],
  ['x to y z email', ''],
  ['x to epic', ''],
  ['post message', 'send'],
  ['post comments', ''],
  ['call phone', 'send'],
  ['phone call', ''],
  ['transfer funds', 'write'],
  ['funds transfer', ''],
  ['url put', 'send'],
  ['put url', ''],
  ['', ''],
])('%j: %s', (words, expected) => {
  const found = new Set<Category>();
  addPhrases(found, words.split(' '));
  expect([...found].join(' ')).toBe(expected);
});

it('every word is one as names are split into', () => {
  expect(phraseWords().filter((word) => !/^[a-z0-9]+$/.test(word))).toEqual([]);
});

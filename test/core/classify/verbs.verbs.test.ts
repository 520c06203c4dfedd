import { expect, it } from 'vitest';
import { CATEGORIES, type Category } from '../../../src/core/call.ts';
import { parameterWords } from '../../../src/core/classify/parameter-words.ts';
import {
  ADDRESSES,
  MAKING,
  MESSAGES,
  nameWords,
  NOUN_OR_VERB,
  NOUNS_READ,
  phraseWords,
  REMARKS,
  VERBS_LAST,
  verbsAnywhere,
  verbsLeading,
} from '../../../src/core/classify/verbs.ts';
import { foldName } from '../../../src/core/registry/deceptive-names.ts';

it('every word is one as names are split into, and means something that there is', () => {
  for (const [word, categories] of [...verbsAnywhere(), ...verbsLeading()]) {
    expect(word).toMatch(/^[a-z]+$/);
    for (const category of categories) expect(CATEGORIES).toContain<Category>(category);
  }
  for (const words of [ADDRESSES, MAKING, MESSAGES, NOUN_OR_VERB, NOUNS_READ, REMARKS, VERBS_LAST]) {
    expect([...words].filter((word) => !/^[a-z]+$/.test(word))).toEqual([]);
  }
});

it('no verb is in both tables, or one of its meanings would never count', () => {
  expect([...verbsAnywhere().keys()].filter((word) => verbsLeading().has(word))).toEqual([]);
});

it('what a name may begin or end with is a verb too', () => {
  expect([...NOUN_OR_VERB].filter((word) => verbsLeading().get(word)?.includes('read') !== true)).toEqual([]);
  expect([...VERBS_LAST].filter((word) => !verbsLeading().has(word))).toEqual([]);
});

it('no two words look alike, or one of them would stand for the other: only those that tell the same', () => {
  const words = new Set([...nameWords(), ...phraseWords(), ...parameterWords()]);
  const folds = new Map<string, string[]>();
  for (const word of words) folds.set(foldName(word), [...(folds.get(foldName(word)) ?? []), word]);
  expect([...folds.values()].filter((alike) => alike.length > 1)).toEqual([['url', 'uri']]);
});

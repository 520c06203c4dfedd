import { expect, it } from 'vitest';
import { CATEGORIES, type Category } from '../../../../src/core/registry/category.ts';
import {
  ADDRESSES,
  MAKING,
  MESSAGES,
  NOUN_OR_VERB,
  NOUNS_READ,
  REMARKS,
  verbsAnywhere,
  VERBS_LAST,
  verbsLeading,
} from '../../../../src/core/registry/classify/verbs.ts';

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

import { describe, expect, it } from 'vitest';
import { isKnownWord, plainWord } from '../../../src/core/classify/split-name.ts';

describe('hazard 43: a word that looks like one that tells something', () => {
  it.each([
    ['send', 'send'],
    ['SEND', 'send'],
    ['s\u0435nd', 'send'],
    ['se\u0301nd', 'send'],
    ['de1ete', 'delete'],
    ['deIete', 'delete'],
    ['p0st', 'post'],
    ['INSERT', 'insert'],
    ['uri', 'uri'],
    ['URI', 'uri'],
    ['url', 'url'],
    ['Item', 'item'],
    ['v1', 'v1'],
    ['läse', 'läse'],
    ['天気', '天気'],
    ['', ''],
  ])('%j: %s', (word, plain) => {
    expect(plainWord(word)).toBe(plain);
  });
});

it('knows words of names, of phrases and of parameters, and no others', () => {
  expect(['delete', 'webhook', 's3', 'bcc', 'url', 'uri'].filter((word) => !isKnownWord(word))).toEqual([]);
  expect(['constructor', '__proto__', '', 'frobnicate'].filter(isKnownWord)).toEqual([]);
});

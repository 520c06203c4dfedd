import { expect, it } from 'vitest';
import { BLOCK_KEYS, hasVariantKey, knownKeys } from '../../../../src/protocol/llm/anthropic/variant-key.ts';

it.each<[Record<string, unknown>, boolean]>([
  [{ type: 'a', name: 'b', odd: 1, odd_Key: 2, 'x-y': 3 }, false],
  [{ Type: 'a' }, true],
  [{ NAME: 'a' }, true],
  [{ 'name\0': 'a' }, true],
  [{ input: 1 }, false],
  [{ 'tool\u017fet_name': 1 }, true],
  [{}, false],
])('%j', (object, isVariant) => {
  expect(hasVariantKey(object, BLOCK_KEYS)).toBe(isVariant);
});

it('goes by the keys that are given', () => {
  expect(hasVariantKey({ Type: 1 }, knownKeys(['tools']))).toBe(false);
  expect(hasVariantKey({ Tools: 1 }, knownKeys(['tools']))).toBe(true);
});

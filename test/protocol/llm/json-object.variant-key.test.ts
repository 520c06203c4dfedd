import { expect, it } from 'vitest';
import { hasVariantKey, knownKeys } from '../../../src/protocol/llm/json-object.ts';

const KNOWN = knownKeys(['type', 'name', 'input', 'toolset_name']);

it.each<[Record<string, unknown>, boolean]>([
  [{ type: 'a', name: 'b', odd: 1, odd_Key: 2, 'x-y': 3 }, false],
  [{ Type: 'a' }, true],
  [{ NAME: 'a' }, true],
  [{ 'name\0': 'a' }, true],
  [{ input: 1 }, false],
  [{ 'tool\u017fet_name': 1 }, true],
  [{}, false],
])('%j', (object, isVariant) => {
  expect(hasVariantKey(object, KNOWN)).toBe(isVariant);
});

it('goes by the keys that are given', () => {
  expect(hasVariantKey({ Type: 1 }, knownKeys(['tools']))).toBe(false);
  expect(hasVariantKey({ Tools: 1 }, knownKeys(['tools']))).toBe(true);
});

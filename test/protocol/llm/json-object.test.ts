import { expect, it } from 'vitest';
import { isObject } from '../../../src/protocol/llm/json-object.ts';

it.each<[unknown, boolean]>([
  [{}, true],
  [{ a: 1 }, true],
  [[], false],
  [null, false],
  ['{}', false],
  [undefined, false],
])('%j: %s', (value, is) => {
  expect(isObject(value)).toBe(is);
});

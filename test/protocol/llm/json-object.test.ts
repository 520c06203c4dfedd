import { expect, it } from 'vitest';
import { isObject, objectsIn, textOf } from '../../../src/protocol/llm/json-object.ts';

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

it('what is no list has no objects, and what is no text is an empty one', () => {
  expect([objectsIn([{ a: 1 }, null, [], 'x', {}]), objectsIn({ a: {} }), objectsIn(undefined)]).toEqual([
    [{ a: 1 }, {}],
    [],
    [],
  ]);
  expect(['a', 1, null, undefined, {}].map(textOf)).toEqual(['a', '', '', '', '']);
});

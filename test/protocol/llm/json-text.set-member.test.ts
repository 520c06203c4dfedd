import { expect, it } from 'vitest';
import { applyEdits, setMember } from '../../../src/protocol/llm/json-text.ts';

it.each([
  ['{ "a": 1.0 , "b":2 }', '{ "a": 3 , "b":2 }'],
  ['{"b":2}', '{"a":3,"b":2}'],
  ['{ }', '{"a":3}'],
])('%s becomes %s', (before, after) => {
  expect(applyEdits(before, [setMember(before, { start: 0, end: before.length }, 'a', '3')])).toBe(after);
});

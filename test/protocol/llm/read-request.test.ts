import { expect, it } from 'vitest';
import { hasOtherThanList, readRequestBody } from '../../../src/protocol/llm/read-request.ts';

it.each<[string, ReturnType<typeof readRequestBody>]>([
  ['{"a": {"b": [1]}}', { a: { b: [1] } }],
  ['{', 'the request is not JSON'],
  ['[]', 'the request is no object'],
  ['null', 'the request is no object'],
  ['{"a": {"b": 1, "\\u0062": 2}}', 'a key occurs twice in the request'],
  [`{"a": ${'['.repeat(10_000)}${']'.repeat(10_000)}}`, 'the request is nested too deeply'],
])('%.40s is %j', (text, read) => {
  expect(readRequestBody(text)).toEqual(read);
});

it('knows members that are no list and should be one', () => {
  const body = { list: [], none: null, object: {} };
  expect(hasOtherThanList(body, ['list', 'none', 'absent'])).toBe(false);
  expect(hasOtherThanList(body, ['list', 'object'])).toBe(true);
});

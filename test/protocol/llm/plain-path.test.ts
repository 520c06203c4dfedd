import { expect, it } from 'vitest';
import { plainPath } from '../../../src/protocol/llm/plain-path.ts';

it.each([
  ['/v1/messages', '/v1/messages'],
  ['/V1//./Messages/', '/v1/messages'],
  ['/v1/batches/../messages', '/v1/messages'],
  ['/v1%2F%6dessages', '/v1/messages'],
  ['\\v1\\messages;a=b?c=/d', '/v1/messages'],
  ['/../../a#b', '/a'],
  ['', '/'],
])('%s: %s', (path, plain) => {
  expect(plainPath(path)).toBe(plain);
});

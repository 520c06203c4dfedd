import { expect, it } from 'vitest';
import { plainPath } from '../../../../src/protocol/llm/routes/route-of.ts';

it.each([
  ['/v1/messages', '/v1/messages'],
  ['/V1//./Messages/', '/v1/messages'],
  ['/v1/batches/../messages', '/v1/messages'],
  ['/v1%2F%6dessages', '/v1/messages'],
  ['\\v1\\messages;a=b?c=/d', '/v1/messages'],
  ['/../../a#b', '/a'],
  ['/v1/messages%0A', '/v1/messages'],
  ['/v1%20/messages;a%0Ab=c%0d%0a', '/v1/messages'],
  ['/v1/x/..;y/messages/;z', '/v1/messages'],
  ['', '/'],
])('%s: %s', (path, plain) => {
  expect(plainPath(path)).toBe(plain);
});

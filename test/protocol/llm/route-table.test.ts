import { expect, it } from 'vitest';
import { findRoute, OTHER_WORDS, type RouteTable } from '../../../src/protocol/llm/route-table.ts';

const TABLE: RouteTable = [[/^POST$/, /\/ask$/, 'answer'], [/./, /\/ask$/, 'unguarded'], ...OTHER_WORDS];

it.each([
  ['POST', '/v1/ask', 'answer'],
  ['post', '/v1/./Ask/?a=b', 'answer'],
  ['GET', '/v1/ask', 'unguarded'],
  ['GET', '/v1/asked', 'other'],
  ['POST', '/v1/x/models/m:rawPredict', 'unguarded'],
  ['POST', '/v1beta/models/m:streamGenerateContent', 'unguarded'],
  ['POST', '/model/m/invoke-with-response-stream', 'unguarded'],
  ['POST', '/model/m/converse', 'unguarded'],
  ['GET', '/model/m/converse', 'other'],
])('%s %s is the first that fits: %s', (method, path, route) => {
  expect(findRoute(TABLE, method, path)).toBe(route);
});

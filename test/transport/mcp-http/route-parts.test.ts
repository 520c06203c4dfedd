import { expect, it } from 'vitest';
import { upstreamPath } from '../../../src/transport/mcp-http/route-parts.ts';

it.each([
  ['/mcp', '', '/mcp'],
  ['/mcp', '?a=1', '/mcp?a=1'],
  ['/mcp?key=k', '', '/mcp?key=k'],
  ['/mcp?key=k', '?a=1&b=2', '/mcp?key=k&a=1&b=2'],
])('%s and %j: %s', (path, query, expected) => {
  expect(upstreamPath({ path }, query)).toBe(expected);
});

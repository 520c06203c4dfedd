import { expect, it } from 'vitest';
import { useListener } from '../support/http-listener.ts';
import { exchange, head, statusesIn } from '../support/raw-http.ts';

/**
 * `/mcp/allowed/SECRET/../../other` is one server for who compares prefixes and another for who resolves dots; so are paths with doubled
 * or encoded slashes. A path that needs to be resolved is refused.
 */
const listening = useListener();

it.each([
  '/mcp/allowed/../other',
  '/mcp/allowed/./x',
  '/mcp/allowed/..',
  '/mcp/allowed/%2e%2e/other',
  '/mcp/allowed/%2E./other',
  '/mcp/allowed/.%2e/other',
  '/mcp/allowed/%252e%252e/other',
  '/mcp/allowed%2f..%2fother',
  '/mcp/allowed/..%2fother',
  '/mcp/allowed/..%5cother',
  '/mcp/allowed/..%c0%afother',
  '/mcp/allowed/..;/other',
  '/mcp/allowed/..%00/other',
  '/mcp/allowed/%EF%BC%8E%EF%BC%8E/other',
  '/mcp//other',
  '//mcp/other',
  '/mcp/allowed//',
  '/mcp/%zz',
])('%s', async (path) => {
  const { listener, host, seen } = listening.current;
  const answer = await exchange(listener.origin, head(`GET ${path} HTTP/1.1`, `host: ${host}`, 'connection: close'));
  expect(statusesIn(answer)).toEqual([400]);
  expect(seen).toEqual([]);
});

it('a query may have anything in it', async () => {
  const { listener, host, seen } = listening.current;
  const answer = await exchange(
    listener.origin,
    head('GET /mcp?to=/../%2e%2e//x HTTP/1.1', `host: ${host}`, 'connection: close'),
  );
  expect(statusesIn(answer)).toEqual([200]);
  expect(seen[0]?.target).toEqual({ segments: ['mcp'], path: '/mcp', query: '?to=/../%2e%2e//x' });
});

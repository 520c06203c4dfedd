import { expect, it } from 'vitest';
import { useListener } from '../support/http-listener.ts';
import { exchange, head, statusesIn } from '../support/raw-http.ts';

/**
 * A request line may name another host than the Host header does (RFC 9112 3.2.2: then the request line counts). A proxy that looks at
 * one and follows the other asks whom it was not allowed to. Only paths are taken.
 */
const listening = useListener();

it.each([
  'GET http://evil.example/mcp HTTP/1.1',
  'GET https://evil.example/mcp HTTP/1.1',
  'GET http://HOST/mcp HTTP/1.1',
  'GET //evil.example/mcp HTTP/1.1',
  'GET file:///etc/passwd HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'GET mcp HTTP/1.1',
  'GET @evil.example/mcp HTTP/1.1',
  'GET ?mcp HTTP/1.1',
  'GET \\mcp HTTP/1.1',
  'GET /mcp#/other HTTP/1.1',
])('%s', async (line) => {
  const { listener, host, seen } = listening.current;
  const answer = await exchange(listener.origin, head(line.replace('HOST', host), `host: ${host}`, 'connection: close'));
  expect(statusesIn(answer)).toEqual([400]);
  expect(seen).toEqual([]);
});

it('nor is there a tunnel', async () => {
  const { listener, host, seen } = listening.current;
  const inner = head('GET / HTTP/1.1', `host: ${host}`);
  const answer = await exchange(listener.origin, head('CONNECT evil.example:443 HTTP/1.1', `host: ${host}`) + inner);
  expect(statusesIn(answer)).toEqual([405]);
  expect(seen).toEqual([]);
});

import { expect, it } from 'vitest';
import { useListener } from '../support/http-listener.ts';
import { exchange, head, statusesIn } from '../support/raw-http.ts';

/**
 * Node drops headers beyond a number of its own, without a word: what is last then, the Origin say, has never been there. So no number of
 * its own is set, and requests with many headers are refused.
 */
const listening = useListener();

function many(count: number): string[] {
  return Array.from({ length: count }, () => 'x:');
}

it.each([300, 2100, 10_000])('%i headers', async (count) => {
  const { listener, host, seen } = listening.current;
  const answer = await exchange(listener.origin, head('GET / HTTP/1.1', `host: ${host}`, ...many(count), 'connection: close'));
  expect(statusesIn(answer)).toEqual([431]);
  expect(seen).toEqual([]);
});

it('the last of many is seen', async () => {
  const { listener, host, seen } = listening.current;
  const answer = await exchange(
    listener.origin,
    head('GET / HTTP/1.1', `host: ${host}`, 'connection: close', ...many(2100), 'origin: https://evil.example'),
  );
  expect(statusesIn(answer)).toEqual([403]);
  expect(seen).toEqual([]);
});

it('trailers are not headers, however many', async () => {
  const { listener, host, seen } = listening.current;
  const body = `0\r\n${many(2000).join('\r\n')}\r\nauthorization: x\r\n\r\n`;
  const lines = ['POST / HTTP/1.1', `host: ${host}`, 'transfer-encoding: chunked', 'connection: close'];
  expect(statusesIn(await exchange(listener.origin, head(...lines) + body))).toEqual([200]);
  expect(seen[0]?.headers).not.toContain('authorization');
});

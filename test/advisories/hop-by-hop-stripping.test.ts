import { expect, it } from 'vitest';
import { useForwarding } from '../support/forwarding-listener.ts';
import { exchange, head, statusesIn } from '../support/raw-http.ts';

/**
 * Connection names headers that end at the next hop. Whoever names Authorization, a header that the configuration adds or MCP's own in it
 * has the server see another request than the one that was decided about.
 */
const forwarding = useForwarding();

async function receivedOf(...lines: readonly string[]): Promise<string> {
  const { listener, host, received } = forwarding.current;
  const before = received().length;
  const answer = await exchange(listener.origin, head('POST /mcp HTTP/1.1', `host: ${host}`, ...lines) + 'ab');
  expect(statusesIn(answer)).toEqual([200]);
  return received().slice(before);
}

it('Connection cannot take away what the message is about', async () => {
  const received = await receivedOf(
    'connection: close, host, content-length, content-type, authorization, mcp-session-id, mcp-method, x-api-key, accept-encoding',
    'content-length: 2',
    'content-type: application/json',
    'authorization: Bearer a',
    'mcp-session-id: b',
    'mcp-method: tools/call',
    'x-api-key: mine',
  );
  const { remote } = forwarding.current;
  expect(received.split('\r\n')).toEqual([
    'POST /mcp HTTP/1.1',
    `host: ${remote}`,
    'connection: keep-alive',
    'content-type: application/json',
    'authorization: Bearer a',
    'mcp-session-id: b',
    'mcp-method: tools/call',
    'accept-encoding: identity',
    'X-Api-Key: ours',
    'content-length: 2',
    '',
    'ab',
  ]);
});

it('what is of this hop does not go on', async () => {
  const received = await receivedOf(
    'Connection: X-Hop, close',
    'X-Hop: 1',
    'Keep-Alive: timeout=5',
    'Proxy-Authorization: Basic x',
    'Proxy-Connection: keep-alive',
    'TE: trailers',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABk',
    'X-Clawai-Token: secret',
    'Cookie: dropped=1',
    'content-length: 2',
  );
  const names = received
    .slice(0, received.indexOf('\r\n\r\n'))
    .split('\r\n')
    .slice(1)
    .map((line) => line.slice(0, line.indexOf(':')));
  expect(names).toEqual(['host', 'connection', 'accept-encoding', 'X-Api-Key', 'content-length']);
});

it('a server cannot take the session away', async () => {
  const { current } = forwarding;
  current.answer =
    'HTTP/1.1 200 OK\r\nconnection: mcp-session-id, x-hop\r\nmcp-session-id: s\r\nx-hop: 1\r\ncontent-length: 2\r\n\r\nok';
  const answer = await exchange(current.listener.origin, head('GET / HTTP/1.1', `host: ${current.host}`, 'connection: close'));
  expect(answer).toContain('mcp-session-id: s');
  expect(answer).not.toContain('x-hop');
});

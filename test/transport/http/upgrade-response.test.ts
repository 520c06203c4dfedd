import { describe, expect, it } from 'vitest';
import { readBody } from '../../../src/transport/http/read-body.ts';
import { UpgradeResponse } from '../../../src/transport/http/upgrade-response.ts';
import { useListener } from '../../support/http-listener.ts';
import { connectRaw, exchange, head } from '../../support/raw-http.ts';
import { until } from '../../support/until.ts';

const SOCKET = ['connection: upgrade', 'upgrade: websocket'];

/** What each request came with. */
const came: boolean[] = [];

const listening = useListener({
  mayUpgrade: ({ path }) => path.startsWith('/ws'),
  handle: (request, response, { path }) => {
    came.push(response instanceof UpgradeResponse);
    if (path === '/ws/slow') return;
    if (path === '/ws/taken' && response instanceof UpgradeResponse) {
      response.takeSocket().end(`taken with ${String(response.head)}`);
      return;
    }
    void readBody(request, { limit: 1000 }).then((read) =>
      response.end(`ok ${read.kind === 'ok' ? read.body.toString() : read.kind}`),
    );
  },
});

async function say(request: string, lines: readonly string[], body = ''): Promise<string> {
  const { listener, host } = listening.current;
  came.length = 0;
  return exchange(listener.origin, head(`${request} HTTP/1.1`, `host: ${host}`, ...lines) + body);
}

describe('hazard 49: a request for a WebSocket', () => {
  it('may be answered like any other, which ends its connection', async () => {
    expect(await say('GET /ws', SOCKET)).toMatch(/^HTTP\/1\.1 200 [^]*connection: close\r\n[^]*ok/i);
    expect(came).toEqual([true]);
  });

  it('may have its connection, with what came after its head', async () => {
    expect(await say('GET /ws/taken', SOCKET, 'frames')).toBe('taken with frames');
  });

  it.each([
    ['another target', 'GET /mcp', SOCKET, ''],
    ['another method', 'POST /ws', [...SOCKET, 'content-length: 2'], 'ab'],
    ['a body', 'GET /ws', [...SOCKET, 'content-length: 2'], 'ab'],
    ['a body of unknown length', 'GET /ws', [...SOCKET, 'transfer-encoding: chunked'], '2\r\nab\r\n0\r\n\r\n'],
    ['another protocol', 'POST /ws', ['connection: upgrade', 'upgrade: h2c', 'content-length: 2'], 'ab'],
    ['two protocols', 'GET /ws', ['connection: upgrade', 'upgrade: websocket, h2c'], ''],
    ['no word that the connection changes', 'GET /ws', ['upgrade: websocket'], ''],
  ])('stays HTTP with %s', async (_what, request, lines, body) => {
    const [first = ''] = lines;
    const closing =
      first === 'connection: upgrade' ? ['connection: upgrade, close', ...lines.slice(1)] : [...lines, 'connection: close'];
    expect(await say(request, closing, body)).toMatch(/^HTTP\/1\.1 200 /);
    expect(came).toEqual([false]);
  });

  it.each([
    [['host: evil.example'], 403],
    [['origin: https://evil.example'], 403],
    [['authorization: a', 'authorization: b'], 400],
  ])('is refused as any other with %j', async (lines, status) => {
    const { listener, host } = listening.current;
    came.length = 0;
    const hosts = lines[0]?.startsWith('host') === true ? [] : [`host: ${host}`];
    const answer = await exchange(listener.origin, head('GET /ws HTTP/1.1', ...hosts, ...SOCKET, ...lines));
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(came).toEqual([]);
  });

  it('may come on a connection that had other requests', async () => {
    const { listener, host } = listening.current;
    const connection = connectRaw(listener.origin);
    connection.socket.write(head('GET /mcp HTTP/1.1', `host: ${host}`));
    await until('the first is answered', () => connection.received().includes('ok'));
    connection.socket.write(head('GET /ws/taken HTTP/1.1', `host: ${host}`, ...SOCKET));
    await connection.closed;
    expect(connection.received()).toMatch(/taken with $/);
  });

  it('ends the connection if an earlier request there has no answer yet', async () => {
    const { host } = listening.current;
    const second = head('GET /ws/taken HTTP/1.1', `host: ${host}`, ...SOCKET);
    expect(await say('POST /ws/slow', ['content-length: 0'], second)).toBe('');
    expect(came).toEqual([false]);
  });
});

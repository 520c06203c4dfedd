import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { refuse } from '../../../src/transport/http/respond.ts';
import { runListener } from '../../support/http-listener.ts';
import { connectRaw, exchange, head, statusesIn } from '../../support/raw-http.ts';
import { until } from '../../support/until.ts';

describe('a refusal', () => {
  it('is JSON-RPC, with a code after its status, and further headers', async () => {
    const { listener } = await runListener({
      handle: (_request, response, { segments }) => refuse(response, Number(segments[0]), 'no: "é"', { allow: 'POST' }),
    });
    for (const [status, code] of [
      [404, -32600],
      [405, -32600],
      [502, -32603],
    ]) {
      const response = await fetch(`${listener.origin}/${status}`);
      expect(response.status).toBe(status);
      expect(response.headers.get('allow')).toBe('POST');
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.json()).toEqual({ jsonrpc: '2.0', id: null, error: { code, message: 'no: "é"' } });
    }
    await listener.close(0);
  });

  it('does not interrupt an answer that has begun', async () => {
    const { listener } = await runListener({
      handle: (_request, response) => {
        response.write('a');
        refuse(response, 500, 'no');
        response.end('b');
      },
    });
    const response = await fetch(listener.origin);
    expect([response.status, await response.text()]).toEqual([200, 'ab']);
    await listener.close(0);
  });

  it('keeps the connection where the body was read, and ends it where it was not', async () => {
    const { listener, host } = await runListener({
      handle: (request, response, { path }) => {
        if (path === '/unread') refuse(response, 400, 'no');
        else request.resume().once('end', () => refuse(response, 400, 'no'));
      },
    });
    const post = (path: string, ...more: string[]): string =>
      head(`POST ${path} HTTP/1.1`, `host: ${host}`, 'content-length: 2', ...more) + 'ab';
    const kept = connectRaw(listener.origin);
    kept.socket.write(post('/read'));
    await until('an answer', () => statusesIn(kept.received()).length === 1);
    kept.socket.write(post('/read', 'connection: close'));
    await kept.closed;
    expect(statusesIn(kept.received())).toEqual([400, 400]);
    expect(kept.received().match(/connection: close/gi)).toHaveLength(1);
    expect(statusesIn(await exchange(listener.origin, post('/unread') + post('/read')))).toEqual([400]);
    await listener.close(0);
  });

  it('survives a client that leaves', async () => {
    const { listener, host } = await runListener({
      handle: (_request, response) => void setTimeout(100).then(() => refuse(response, 400, 'no')),
    });
    const leaving = connectRaw(listener.origin);
    leaving.socket.write(head('POST / HTTP/1.1', `host: ${host}`, 'content-length: 9') + 'half');
    await until('the request', () => listener.connections === 1);
    leaving.socket.destroy();
    await setTimeout(200);
    expect((await fetch(listener.origin)).status).toBe(400);
    await listener.close(0);
  });
});

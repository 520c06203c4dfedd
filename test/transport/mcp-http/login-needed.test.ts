import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { Credential, Credentials } from '../../../src/transport/mcp-http/route-parts.ts';
import { type Arrived, runRoute, type RunningRoute } from '../../support/remote-route.ts';
import { until } from '../../support/until.ts';

let running: RunningRoute | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

const CALL = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 't', arguments: {} } };
const NEEDED = { problem: 'log in first' };

/** Credentials that are these, one after the other; each refusal by the server brings the next. */
function credentialsOf(...all: readonly Credential[]): Credentials & { readonly renewed: string[] } {
  const renewed: string[] = [];
  const sessions = new Set<string>();
  const next = (): Credential => all[Math.min(renewed.length, all.length - 1)] ?? NEEDED;
  return {
    renewed,
    sessions,
    current: next,
    renew: async (refused) => {
      renewed.push(refused);
      return next();
    },
    refused: (challenge) => `refused: ${challenge}`,
  };
}

async function run(
  credentials: Credentials,
  answer: (arrived: Arrived, response: ServerResponse) => void,
): Promise<RunningRoute> {
  running = await runRoute({ credentials, answer });
  return running;
}

/** Takes the token `good` alone. */
function answerGood({ headers, body }: Arrived, response: ServerResponse): void {
  if (headers.authorization !== 'Bearer good') return void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
  const { id } = JSON.parse(body) as { id: unknown };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
}

describe('a route with a managed login', () => {
  it('sends a refused request once more with a new token, and the same bytes', async () => {
    const credentials = credentialsOf({ header: 'Bearer old' }, { header: 'Bearer good' });
    const { post, arrived } = await run(credentials, answerGood);
    const answer = await post(CALL, { authorization: 'Bearer of-the-client', 'proxy-authorization': 'Basic x' });
    expect([answer.status, await answer.json()]).toEqual([200, { jsonrpc: '2.0', id: 7, result: {} }]);
    expect(arrived.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer good']);
    expect(arrived[0]?.body).toBe(arrived[1]?.body);
    expect(credentials.renewed).toEqual(['Bearer old']);
  });

  it('never sends it a third time, and never passes a 401 on', async () => {
    const { post, arrived } = await run(credentialsOf({ header: 'Bearer old' }, { header: 'Bearer older' }), answerGood);
    const answer = await post(CALL);
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringContaining('files does not accept even a new token'),
    ]);
    expect(answer.headers.get('www-authenticate')).toBeNull();
    expect(arrived).toHaveLength(2);
  });

  it('answers in place of the server without a token: requests by an error, streams with 405, and nothing is sent', async () => {
    const { post, url, arrived } = await run(credentialsOf(NEEDED), answerGood);
    const answer = await post(CALL);
    expect([answer.status, await answer.json()]).toMatchObject([200, { id: 7, error: { message: 'log in first' } }]);
    const both = (await (await post([CALL, { ...CALL, id: 8 }])).json()) as { id: number }[];
    expect(both.map(({ id }) => id).toSorted()).toEqual([7, 8]);
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(503);
    // A client of the older transport, which names no revision, gets a stream of ours.
    for (const method of ['GET', 'DELETE'])
      expect((await fetch(url, { method, headers: { 'mcp-protocol-version': '2025-06-18' } })).status).toBe(405);
    expect(arrived).toEqual([]);
  });

  it('words a 403 with a challenge, and passes one without', async () => {
    let challenge = true;
    const { post } = await run(credentialsOf({ header: 'Bearer good' }), (_arrived, response) => {
      const headers = challenge ? { 'www-authenticate': 'Bearer error="insufficient_scope"' } : {};
      response.writeHead(403, { 'content-type': 'text/plain', ...headers }).end('no');
    });
    const worded = await post(CALL);
    expect([worded.status, await worded.text()]).toEqual([200, expect.stringContaining('refused: Bearer error')]);
    challenge = false;
    const passed = await post(CALL);
    expect([passed.status, await passed.text()]).toEqual([403, 'no']);
  });

  it('takes only sessions that began there', async () => {
    const credentials = credentialsOf({ header: 'Bearer good' });
    const { post, arrived } = await run(credentials, (one, response) => {
      response.setHeader('mcp-session-id', 'begun');
      answerGood(one, response);
    });
    expect((await post(CALL, { 'mcp-session-id': 'begun' })).status).toBe(404);
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
    await (await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params })).text();
    expect((await post(CALL, { 'mcp-session-id': 'begun' })).status).toBe(200);
    expect(arrived).toHaveLength(2);
  });

  it('sends the token over HTTP+SSE too, for the stream and for each message', async () => {
    let stream: ServerResponse | undefined;
    const credentials = credentialsOf({ header: 'Bearer good' });
    const { url, arrived } = await run(credentials, ({ method, headers, body }, response) => {
      if (headers.authorization !== 'Bearer good') return void response.writeHead(401).end();
      if (method === 'GET') {
        stream = response;
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: endpoint\ndata: /messages?s=1\n\n');
        return;
      }
      response.writeHead(202).end();
      const { id } = JSON.parse(body) as { id: unknown };
      stream?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result: {} })}\n\n`);
    });
    const leave = new AbortController();
    const opened = await fetch(url, {
      headers: { accept: 'text/event-stream', authorization: 'Bearer of-the-client' },
      signal: leave.signal,
    });
    let text = '';
    const reading = (async () => {
      for await (const chunk of opened.body ?? []) text += Buffer.from(chunk).toString();
    })().catch(() => {});
    await until('the endpoint', () => /data: (\S+)/.test(text));
    const endpoint = /data: (\S+)/.exec(text)?.[1] ?? '';
    const sent = await fetch(new URL(endpoint, url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer of-the-client' },
      body: JSON.stringify(CALL),
    });
    expect(sent.status).toBe(202);
    await until('the answer', () => text.includes('"id":7'));
    expect(arrived.map(({ headers }) => headers.authorization)).toEqual(['Bearer good', 'Bearer good']);
    expect(arrived[1]?.url).toBe('/messages?s=1');
    leave.abort();
    await reading;
  });

  it('says by the stream of HTTP+SSE that a login is needed', async () => {
    const credentials = credentialsOf({ header: 'Bearer good' }, NEEDED);
    let isOver = false;
    const { url } = await run(credentials, ({ method }, response) => {
      if (method === 'GET')
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: endpoint\ndata: /m\n\n');
      else response.writeHead(isOver ? 401 : 202).end();
    });
    const leave = new AbortController();
    const opened = await fetch(url, { headers: { accept: 'text/event-stream' }, signal: leave.signal });
    let text = '';
    const reading = (async () => {
      for await (const chunk of opened.body ?? []) text += Buffer.from(chunk).toString();
    })().catch(() => {});
    await until('the endpoint', () => /data: (\S+)/.test(text));
    isOver = true;
    const headers = { 'content-type': 'application/json' };
    const endpoint = new URL(/data: (\S+)/.exec(text)?.[1] ?? '', url);
    expect((await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify(CALL) })).status).toBe(202);
    await until('the answer', () => text.includes('log in first'));
    leave.abort();
    await reading;
  });
});

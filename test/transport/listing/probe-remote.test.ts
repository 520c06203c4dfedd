import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type Probed, probeRemote } from '../../../src/transport/listing/probe-remote.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function probe(answer: Answer, headers: Record<string, string> = {}): Promise<Probed> {
  const listening = createServer(answer);
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}/mcp`;
  return probeRemote({ url, headers, version: '1', signal: new AbortController().signal });
}

/** POST is answered with a status and a text, GET with an event stream of this text that stays open. */
function both(status: number, body: string, stream: string | undefined): Answer {
  return ({ method }, response) => {
    if (method === 'POST') return void response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    if (stream === undefined) return void response.writeHead(405).end();
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' }).write(stream);
  };
}

const RESULT = '{"jsonrpc":"2.0","id":"clawai-1","result":{}}';
const ERROR = '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no session"}}';
const ENDPOINT = 'event: endpoint\ndata: /m?sessionId=1\n\n';
const PING = 'event: message\ndata: {}\n\n';

describe('a greeted server', () => {
  it.each([
    [200, RESULT, undefined, 'mcp'],
    [200, ERROR, undefined, 'mcp'],
    [500, ERROR, undefined, 'mcp'],
    [400, ERROR, undefined, 'mcp'],
    [400, ERROR, PING, 'mcp'],
    // A server of HTTP+SSE may say in JSON that it knows no such session.
    [400, ERROR, ENDPOINT, 'mcp'],
    [400, 'no session', ENDPOINT, 'mcp'],
    [404, 'Cannot POST', `\uFEFF: hi\r\n\r\n${ENDPOINT}`, 'mcp'],
    [405, '', ENDPOINT, 'mcp'],
    [405, '', PING, 'unreachable'],
    [405, '', `: ${'x'.repeat(100_000)}`, 'unreachable'],
    [404, '{"error":"not found"}', undefined, 'unreachable'],
    [500, 'oops', ENDPOINT, 'unreachable'],
    [200, '<h1>log in</h1>', ENDPOINT, 'unreachable'],
    [200, '{"error":"invalid_token"}', undefined, 'unreachable'],
    [401, ERROR, ENDPOINT, 'login'],
    [403, '', ENDPOINT, 'login'],
  ])('that answers %i %s, and %j to a GET, is %s', async (status, body, stream, kind) => {
    expect((await probe(both(status, body, stream))).kind).toBe(kind);
  });

  it('answers in a stream as well', async () => {
    const answer: Answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: ${RESULT}\n\n`);
    };
    expect(await probe(answer)).toEqual({ kind: 'mcp' });
  });

  it('wants a login for what comes after the greeting', async () => {
    let posts = 0;
    const answer: Answer = ({ method }, response) => {
      if (method === 'POST') posts += 1;
      if (posts === 1) response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's' }).end(RESULT);
      else response.writeHead(401).end();
    };
    expect(await probe(answer)).toEqual({ kind: 'login' });
  });

  it('wants a login for its stream alone', async () => {
    expect(await probe(({ method }, response) => response.writeHead(method === 'GET' ? 401 : 404).end())).toEqual({
      kind: 'login',
    });
  });

  it.each([
    ['/mcp/', 'unknown'],
    ['http://127.0.0.1:9/mcp', 'unreachable'],
    ['//evil.example/mcp', 'unreachable'],
    [undefined, 'unreachable'],
  ])('hazard: that redirects to %s is not followed: %s', async (location, kind) => {
    const arrived: (string | undefined)[] = [];
    const answer: Answer = ({ url }, response) => {
      arrived.push(url);
      response.writeHead(308, location === undefined ? {} : { location }).end();
    };
    expect((await probe(answer, { authorization: 'Bearer hunter2' })).kind).toBe(kind);
    expect(arrived).toEqual(['/mcp']);
  });

  it('gets the headers as they are, but for those of the connection', async () => {
    const arrived: IncomingMessage['headers'][] = [];
    const answer: Answer = ({ headers }, response) => {
      arrived.push(headers);
      response.end(RESULT);
    };
    const headers = {
      'Content-Length': '1',
      'Transfer-Encoding': 'chunked',
      ACCEPT: 'x',
      'User-Agent': 'me',
      Authorization: 'Bearer t',
    };
    expect(await probe(answer, headers)).toEqual({ kind: 'mcp' });
    expect(arrived.slice(0, 1)).toMatchObject([
      {
        authorization: 'Bearer t',
        'user-agent': 'me',
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
    ]);
    expect(arrived[0]).not.toHaveProperty('transfer-encoding');
  });

  it.each([{ 'X-A': 'a\nb' }, { 'X A': 'a' }, { 'X-A': '\u20ac' }])('cannot be asked with the headers %j', async (headers) => {
    expect(await probe((_request, response) => response.end(RESULT), headers)).toMatchObject({ kind: 'unknown' });
  });

  it('is not there', async () => {
    const signal = new AbortController().signal;
    const probed = await probeRemote({ url: 'http://127.0.0.1:1/mcp', headers: {}, version: '1', signal });
    expect(probed).toEqual({ kind: 'unreachable', why: 'it cannot be reached (ECONNREFUSED)' });
  });

  it('breaks off', async () => {
    expect(await probe(({ socket }) => socket.destroy())).toMatchObject({ kind: 'unreachable' });
    expect(
      await probe((_request, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{');
        setImmediate(() => response.destroy());
      }),
    ).toMatchObject({ kind: 'unreachable' });
  });

  it.each([
    [405, 'unreachable'],
    // It speaks streamable HTTP, and its stream has nothing to say now.
    [400, 'mcp'],
  ])('that has a stream without an event till time is up, after %i, is %s', async (status, kind) => {
    const up = new AbortController();
    const listening = createServer(({ method }, response) => {
      if (method === 'POST') return void response.writeHead(status).end(status === 400 ? ERROR : '');
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hi\n\n');
      setImmediate(() => up.abort());
    });
    server = listening;
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}/mcp`;
    expect((await probeRemote({ url, headers: {}, version: '1', signal: up.signal })).kind).toBe(kind);
  });
});

import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { listRemote } from '../../../src/transport/listing/list-remote.ts';
import type { Listed } from '../../../src/transport/listing/server-lister.ts';
import { type Arrived, runRoute, type RunningRoute } from '../../support/remote-route.ts';

let running: RunningRoute | undefined;

/** Lists a server by our own route to it. */
async function list(
  answer: (message: Asked, response: ServerResponse, arrived: Arrived) => void,
  signal = new AbortController().signal,
): Promise<Listed> {
  running = await runRoute({
    answer: (arrived, response) => answer(JSON.parse(arrived.body === '' ? '{}' : arrived.body) as Asked, response, arrived),
  });
  return listRemote({ url: running.url, headers: { 'x-clawai-token': 't' }, version: '1', signal, isOurs: true });
}

interface Asked {
  readonly id?: string;
  readonly method?: string;
  readonly params?: { readonly cursor?: string };
}

afterEach(() => running?.close());

function json(response: ServerResponse, message: unknown, headers: Record<string, string> = {}, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(message));
}

const methods = (): unknown[] =>
  (running?.arrived ?? []).map(({ method, body }) => (body === '' ? method : (JSON.parse(body) as Asked).method));

describe('listRemote', () => {
  it('greets a server, asks for all pages of all that it says it has, and ends its session', async () => {
    const listed = await list(({ id, method, params }, response, { headers }) => {
      if (method === 'initialize') {
        const result = { protocolVersion: '2025-06-18', capabilities: { tools: {}, resources: {} }, serverInfo: {} };
        return json(response, { jsonrpc: '2.0', id, result }, { 'mcp-session-id': 's1' });
      }
      expect(headers).toMatchObject({ 'mcp-session-id': 's1', 'mcp-protocol-version': '2025-06-18' });
      if (id === undefined) return void response.writeHead(202).end();
      const message = {
        jsonrpc: '2.0',
        id,
        result: { tools: [], ...(params?.cursor === undefined ? { nextCursor: 'two' } : {}) },
      };
      if (method !== 'tools/list') return json(response, message);
      // A notification first, as servers do.
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: {"jsonrpc":"2.0","method":"notifications/message"}\n\ndata: ${JSON.stringify(message)}\n\n`);
    });
    expect(listed).toEqual({ kind: 'listed' });
    expect(methods()).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/list',
      'tools/list',
      'resources/list',
      'resources/list',
      'resources/templates/list',
      'resources/templates/list',
      'DELETE',
    ]);
  });

  it('asks one that knows no greeting as the modern era does', async () => {
    const listed = await list(({ id, method }, response, { headers }) => {
      const error = { code: -32601, message: 'no such method' };
      if (method === 'initialize') return json(response, { jsonrpc: '2.0', id, error }, {}, 404);
      expect(headers).toMatchObject({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method });
      const result = method === 'server/discover' ? { capabilities: { prompts: {} } } : { prompts: [] };
      return json(response, { jsonrpc: '2.0', id, result });
    });
    expect(listed).toEqual({ kind: 'listed' });
    // The route asks first, since it could translate; this server does not say for which revision.
    expect(methods()).toEqual(['initialize', 'server/discover', 'server/discover', 'prompts/list']);
  });

  it('asks one of HTTP+SSE by its stream', async () => {
    let stream: ServerResponse | undefined;
    const listed = await list(({ id, method }, response, { method: verb, url }) => {
      if (verb === 'GET') {
        stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
        return void stream.write(': hello\n\nevent: endpoint\ndata: /messages?sessionId=1\n\n');
      }
      if (url === '/mcp') return void response.writeHead(405).end();
      response.writeHead(202).end('Accepted');
      const result = method === 'initialize' ? { protocolVersion: '2024-11-05', capabilities: { tools: {} } } : { tools: [] };
      if (id !== undefined) stream?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
    });
    expect(listed).toEqual({ kind: 'listed' });
    expect(methods()).toEqual(['initialize', 'GET', 'initialize', 'notifications/initialized', 'tools/list']);
  });

  it.each(['//elsewhere.example/m', 'http://elsewhere.example/m'])(
    'sends nothing to %s, whatever a stream says',
    async (address) => {
      const listed = await list((_message, response, { method }) => {
        if (method !== 'GET') return void response.writeHead(405).end();
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`event: endpoint\ndata: ${address}\n\n`);
      });
      expect(listed).toMatchObject({ kind: 'failed' });
    },
  );

  it.each([401, 403])('one that answers %i wants a login', async (status) => {
    expect(await list((_message, response) => void response.writeHead(status).end())).toEqual({ kind: 'needs_login' });
  });

  it.each<readonly [string, (response: ServerResponse) => void]>([
    ['answers nothing', (response) => response.writeHead(500).end()],
    ['breaks off', (response) => response.destroy()],
    ['ends its stream', (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': bye\n\n')],
  ])('one that %s could not be listed', async (_name, answer) => {
    expect(await list((_message, response) => answer(response))).toMatchObject({ kind: 'failed' });
  });

  it('ends when it is told to', async () => {
    const ending = new AbortController();
    const listed = await list(() => ending.abort(), ending.signal);
    expect(listed).toMatchObject({ kind: 'failed' });
  });
});

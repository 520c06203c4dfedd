import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { startRemote } from '../../../src/transport/bridge/remote-process.ts';
import type { ServerProcess } from '../../../src/transport/stdio/child-process.ts';
import { until } from '../../support/until.ts';

interface Arrived {
  readonly verb: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly method: string | undefined;
}

type Answer = (arrived: Arrived, response: ServerResponse) => void;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A remote server, reached as a process. */
class Reached {
  readonly arrived: Arrived[] = [];
  readonly warnings: string[] = [];
  readonly url: string;
  readonly process: ServerProcess;
  out = '';

  private constructor(origin: string, arrived: Arrived[], frame: number) {
    this.url = `${origin}/mcp`;
    this.arrived = arrived;
    this.process = startRemote({
      name: 'docs',
      url: new URL(this.url),
      headers: { 'x-team': 'a' },
      tlsFingerprint: undefined,
      limits: { message: 1 << 20, frame, depth: 64 },
      warn: (line) => this.warnings.push(line),
    });
    this.process.stdout.on('data', (chunk: Buffer) => (this.out += chunk.toString()));
    closing.push(() => this.process.release());
  }

  static async at(answer: Answer, frame = 1 << 20): Promise<Reached> {
    const arrived: Arrived[] = [];
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const { method } = JSON.parse(text === '' ? '{}' : text) as { readonly method?: string };
        const one = { verb: request.method ?? '', url: request.url ?? '', headers: request.headers, text, method };
        arrived.push(one);
        answer(one, response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return new Reached(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, arrived, frame);
  }

  send(...lines: readonly string[]): void {
    for (const line of lines) this.process.stdin.write(`${line}\n`);
  }

  async lines(count: number): Promise<readonly string[]> {
    await until(`${count} lines`, () => this.out.split('\n').length > count);
    return this.out.split('\n').slice(0, count);
  }
}

const INITIALIZE = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}';
const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
const call = (id: number): string => `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"t"}}`;
const GREETED = '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18"}}';

function json(response: ServerResponse, text: string, headers: Record<string, string> = {}, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}

/** Answers the greeting with a session; `rest` gets all else. */
function greeting(rest: Answer): Answer {
  return (arrived, response) => {
    if (arrived.method === 'initialize') json(response, GREETED, { 'mcp-session-id': 'one' });
    else if (arrived.verb === 'GET') response.writeHead(405).end();
    else if (arrived.verb === 'DELETE' || arrived.method === 'notifications/initialized') response.writeHead(202).end();
    else rest(arrived, response);
  };
}

describe('a remote server that is reached as a process', () => {
  it('gets and gives messages as they are, in order, with the headers of the config and of its session', async () => {
    const odd = '{"jsonrpc": "2.0", "id": 9007199254740993, "result": {"a": 1.0, "b": "\\u00e9 é"}}';
    const reached = await Reached.at(
      greeting(({ method }, response) => void setTimeout(method === 'slow' ? 50 : 0).then(() => json(response, odd))),
    );
    const asked = '{"jsonrpc": "2.0", "id": 9007199254740993, "method": "tools/call", "params": {"x": 1.00}}';
    reached.send(INITIALIZE, INITIALIZED, asked);
    expect(await reached.lines(2)).toEqual([GREETED, odd]);
    const posts = reached.arrived.filter(({ verb }) => verb === 'POST');
    expect(posts.map(({ text }) => text)).toEqual([INITIALIZE, INITIALIZED, asked]);
    expect(posts[0]?.headers).toMatchObject({ 'x-team': 'a', accept: 'application/json, text/event-stream' });
    expect(posts[2]?.headers).toMatchObject({ 'mcp-session-id': 'one', 'mcp-protocol-version': '2025-06-18' });
    expect(posts[2]?.headers).not.toHaveProperty('mcp-method');
  });

  it('ends with its input, behind the last answer, and ends its session', async () => {
    const reached = await Reached.at(
      greeting((_arrived, response) => void setTimeout(60).then(() => json(response, '{"jsonrpc":"2.0","id":1,"result":{}}'))),
    );
    reached.send(INITIALIZE, call(1));
    reached.process.stdin.end();
    expect(await reached.process.exited).toBe(0);
    expect(reached.out.split('\n')[1]).toContain('"id":1');
    expect(reached.arrived.at(-1)).toMatchObject({ verb: 'DELETE', headers: { 'mcp-session-id': 'one' } });
  });

  it('that has forgotten the session gets the greeting again, and then the call', async () => {
    let session = 0;
    const reached = await Reached.at(({ verb, method, headers }, response) => {
      if (method === 'initialize') json(response, GREETED, { 'mcp-session-id': `s${++session}` });
      else if (verb === 'GET') response.writeHead(405).end();
      else if (method === 'notifications/initialized') response.writeHead(202).end();
      else if (headers['mcp-session-id'] === 's1') response.writeHead(404).end();
      else json(response, '{"jsonrpc":"2.0","id":1,"result":{"ok":true}}');
    });
    reached.send(INITIALIZE, INITIALIZED, call(1));
    expect(await reached.lines(2)).toEqual([GREETED, '{"jsonrpc":"2.0","id":1,"result":{"ok":true}}']);
  });

  it('that ends a stream early is asked for the rest of it', async () => {
    const reached = await Reached.at(({ verb, method, headers }, response) => {
      if (method === 'initialize') return json(response, GREETED);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (verb === 'POST') return void response.end('id: e1\nretry: 5\ndata:\n\n');
      return void response.end(headers['last-event-id'] === 'e1' ? 'id: e2\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n' : '');
    });
    reached.send(INITIALIZE, call(1));
    expect(await reached.lines(2)).toEqual([GREETED, '{"jsonrpc":"2.0","id":1,"result":{}}']);
  });

  it('that keeps ending its stream is asked for the rest at its own pace, within bounds, as long as something comes', async () => {
    let asked = 0;
    const times: number[] = [];
    const reached = await Reached.at(({ verb, method }, response) => {
      if (method === 'initialize') return json(response, GREETED);
      times.push(performance.now());
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (verb === 'POST') return void response.end('id: e0\nretry: 0\ndata:\n\n');
      asked += 1;
      const note = '{"jsonrpc":"2.0","method":"notifications/message"}';
      return void response.end(`id: e${asked}\nretry: 0\ndata: ${asked < 8 ? note : '{"jsonrpc":"2.0","id":1,"result":{}}'}\n\n`);
    });
    reached.send(INITIALIZE, call(1));
    expect((await reached.lines(9)).at(-1)).toBe('{"jsonrpc":"2.0","id":1,"result":{}}');
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(700);
  });

  it('may send by itself, and is listened to again when that stream ends', async () => {
    let listened = 0;
    const note = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';
    const reached = await Reached.at(({ verb, method }, response) => {
      if (method === 'initialize') return json(response, GREETED, { 'mcp-session-id': 'one' });
      if (verb !== 'GET') return void response.writeHead(202).end();
      listened += 1;
      return void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`retry: 5\ndata: ${note}\n\n`);
    });
    reached.send(INITIALIZE, INITIALIZED);
    expect(await reached.lines(3)).toEqual([GREETED, note, note]);
    expect(listened).toBeGreaterThan(1);
  });

  it.each<[string, Answer, string]>([
    ['wants a login', (_asked, response) => void response.writeHead(401).end(), 'docs wants a login (HTTP 401)'],
    ['fails', (_asked, response) => void response.writeHead(500).end('<h1>oops</h1>'), 'docs did not take it (HTTP 500)'],
    ['says nothing', (_asked, response) => void response.writeHead(202).end(), 'docs did not answer it'],
    ['breaks off', (_asked, response) => void response.destroy(), 'connection'],
    [
      'redirects elsewhere',
      (_asked, response) => void response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
      'to an address that clawai does not follow',
    ],
    [
      'ends its stream without an answer',
      (_asked, response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': bye\n\n'),
      'docs did not answer it',
    ],
  ])('that %s: the request is answered with words, and later ones go on', async (_what, answer, words) => {
    let asked = 0;
    const reached = await Reached.at(
      greeting((arrived, response) =>
        asked++ === 0 ? answer(arrived, response) : json(response, '{"jsonrpc":"2.0","id":2,"result":{}}'),
      ),
    );
    reached.send(INITIALIZE, call(1));
    const [, line = ''] = await reached.lines(2);
    expect(JSON.parse(line)).toMatchObject({ id: 1, error: { message: expect.stringContaining(words) } });
    reached.send(call(2));
    expect((await reached.lines(3))[2]).toContain('"id":2');
  });

  it("passes the server's own error, whatever its status", async () => {
    const error = '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}';
    const reached = await Reached.at(greeting((_asked, response) => json(response, error, {}, 400)));
    reached.send(INITIALIZE, call(1));
    expect((await reached.lines(2))[1]).toBe(error);
  });

  it('of the modern era gets the headers that repeat its messages', async () => {
    const meta = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}';
    const evil = { type: 'string', 'x-mcp-header': 'a: b\r\nx' };
    const schema = { type: 'object', properties: { where: { type: 'string', 'x-mcp-header': 'Region' }, evil } };
    const listed = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: [{ name: 'tür', inputSchema: schema }] } });
    const reached = await Reached.at(({ method }, response) =>
      json(response, method === 'tools/list' ? listed : '{"jsonrpc":"2.0","id":2,"result":{}}'),
    );
    reached.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{${meta}}}`);
    await reached.lines(1);
    reached.send(
      `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"tür","arguments":{"where":"eu-1","evil":"x"},${meta}}}`,
    );
    await reached.lines(2);
    expect(reached.arrived[1]?.headers).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': '=?base64?dMO8cg==?=',
      'mcp-param-region': 'eu-1',
    });
  });

  it('of the modern era learns of a cancelled request by the end of its connection', async () => {
    const meta = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}';
    let closed = 0;
    const reached = await Reached.at(({ method, text }, response) => {
      if (method !== 'tools/call') return json(response, '{"jsonrpc":"2.0","id":3,"result":{}}');
      response.once('close', () => closed++);
      // One has had no answer yet, and the other the beginning of a stream.
      if (text.includes('"id":1')) return undefined;
      return void response.writeHead(200, { 'content-type': 'text/event-stream' }).write('id: 1\nretry: 100\ndata:\n\n');
    });
    for (const id of [1, 2]) reached.send(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"t",${meta}}}`);
    await until('both requests', () => reached.arrived.length === 2);
    for (const id of [1, 2]) {
      reached.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`);
    }
    await until('the end of both', () => closed === 2);
    reached.send(`{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{${meta}}}`);
    expect(await reached.lines(1)).toEqual(['{"jsonrpc":"2.0","id":3,"result":{}}']);
    expect(reached.arrived.map(({ method }) => method)).toEqual(['tools/call', 'tools/call', 'tools/list']);
  });
});

describe('a server of HTTP+SSE', () => {
  const older =
    (endpoint: string, streams: ServerResponse[]): Answer =>
    ({ verb, url, text }, response) => {
      if (verb === 'GET') {
        streams.push(response.writeHead(200, { 'content-type': 'text/event-stream' }));
        return void response.write(`event: endpoint\ndata: ${endpoint}\n\n`);
      }
      if (!url.startsWith('/messages')) return void response.writeHead(404).end();
      response.writeHead(202).end('Accepted');
      const { id } = JSON.parse(text) as { readonly id?: number };
      if (id !== undefined) streams[0]?.write(`event: message\ndata: {"jsonrpc":"2.0","id":${id},"result":{}}\n\n`);
    };

  it('is found by its answer to the greeting, and its end is that of the process', async () => {
    const streams: ServerResponse[] = [];
    const reached = await Reached.at(older('/messages?sessionId=1', streams));
    reached.send(INITIALIZE, INITIALIZED, call(1));
    expect(await reached.lines(2)).toEqual(['{"jsonrpc":"2.0","id":0,"result":{}}', '{"jsonrpc":"2.0","id":1,"result":{}}']);
    expect(reached.arrived.map(({ url }) => url).filter((url) => url.startsWith('/messages'))).toHaveLength(3);
    streams[0]?.end();
    expect(await reached.process.exited).toBe(1);
  });

  it.each(['//elsewhere.example/m', 'http://127.0.0.1:9/m'])('gets nothing if it wants messages at %s', async (endpoint) => {
    const reached = await Reached.at(older(endpoint, []));
    reached.send(INITIALIZE);
    const [line = ''] = await reached.lines(1);
    expect(JSON.parse(line)).toMatchObject({ id: 0, error: { message: 'docs did not take it (HTTP 404)' } });
    expect(reached.arrived.map(({ verb }) => verb)).toEqual(['POST', 'GET']);
  });
});

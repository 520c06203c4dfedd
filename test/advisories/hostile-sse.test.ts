import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { afterEach, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { exchange, head, statusesIn } from '../support/raw-http.ts';
import { Serving, type ServingOptions } from '../support/serving.ts';
import { SELF_SIGNED } from '../support/tls-fixtures.ts';
import { until } from '../support/until.ts';

/**
 * A server of HTTP+SSE (MCP 2024-11-05) names the address that its clients post to, and answers on a stream that stays open. A hostile one sends
 * messages elsewhere, sends without end, or splits its messages so that a proxy and a client read different ones.
 */
const sandbox = useSandbox();

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly name?: string };
}

/** What a server does with a message; the answer of the POST is its own business. */
type Script = (message: Message, stream: ServerResponse, response: ServerResponse) => void;

class SseServer {
  readonly posted: Message[] = [];
  readonly streams: ServerResponse[] = [];
  closed = 0;
  script: Script = accepting(answer);
  /** What a stream begins with. */
  begin = (session: number, _host: string): string => `event: endpoint\ndata: /messages/${session}\n\n`;
  url = '';
  #stop = async (): Promise<void> => {};

  static async start(tls?: typeof SELF_SIGNED): Promise<SseServer> {
    const sse = new SseServer();
    const listener: RequestListener = (request, response) => {
      if (request.method === 'GET') return sse.#open(request.headers.host ?? '', response);
      let text = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      request.on('end', () => {
        const message = JSON.parse(text) as Message;
        // clawai lists the tools by a session of its own, after it has tried streamable HTTP.
        const stream = sse.streams[Number(/^\/messages\/(\d+)$/.exec(request.url ?? '')?.[1])];
        if (stream === undefined) return void response.writeHead(405).end();
        sse.posted.push(message);
        sse.script(message, stream, response);
      });
    };
    const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
    await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
    sse.url = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}/sse`;
    sse.#stop = async () => {
      server.closeAllConnections();
      await new Promise((settle) => server.close(settle));
    };
    return sse;
  }

  stop(): Promise<void> {
    return this.#stop();
  }

  calls(): readonly unknown[] {
    return this.posted.filter(({ method }) => method === 'tools/call').map(({ params }) => params?.name);
  }

  #open(host: string, response: ServerResponse): void {
    const session = this.streams.push(response) - 1;
    response.on('close', () => (this.closed += 1));
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    response.write(this.begin(session, host));
  }
}

/** The answer to a message, as an event; empty for a notification. */
function answer({ id, method }: Message): string {
  if (id === undefined) return '';
  const result =
    method === 'initialize'
      ? { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo: { name: 'sse', version: '1' } }
      : method === 'tools/list'
        ? { tools: [{ name: 'read', inputSchema: { type: 'object' } }] }
        : { content: [{ type: 'text', text: 'done' }] };
  return `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`;
}

function accepting(toEvent: (message: Message) => string): Script {
  return (message, stream, response) => {
    response.writeHead(202).end();
    stream.write(toEvent(message));
  };
}

const POLICY =
  '[defaults]\naction = "allow"\n[[rule]]\naction = "deny"\nmethod = "elicitation/create"\n[[rule]]\naction = "deny"\ntool = "shell"\n';

const started: { stop(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of started.splice(0)) await one.stop();
});

async function serve(server: SseServer, more: ServingOptions = {}): Promise<Serving> {
  const serving = await Serving.start(sandbox.current, { servers: { old: server.url }, policy: POLICY, ...more });
  started.push(server, serving);
  return serving;
}

async function connect(serving: Serving): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new SSEClientTransport(new URL(serving.url('old'))));
  return client;
}

const call = (client: Client, name = 'read'): Promise<unknown> => client.callTool({ name, arguments: {} });
const DONE = { content: [{ type: 'text', text: 'done' }] };

it('an answer that overtakes the 202 of its message is one, and so is one long after it', async () => {
  const server = await SseServer.start();
  server.script = (message, stream, response) => {
    stream.write(answer(message));
    setTimeout(() => response.writeHead(202).end(), 100);
  };
  const client = await connect(await serve(server));
  expect(await call(client)).toMatchObject(DONE);
  server.script = (message, stream, response) => {
    response.writeHead(202).end();
    setTimeout(() => stream.write(answer(message)), 100);
  };
  expect(await call(client)).toMatchObject(DONE);
  expect(await call(client, 'shell')).toMatchObject({ isError: true });
  expect(server.calls()).not.toContain('shell');
  await client.close();
});

it('a message in several lines of data, with another line end each time, is judged as its client joins it', async () => {
  const server = await SseServer.start();
  const asked: string[] = [];
  server.script = (message, stream, response) => {
    response.writeHead(202).end();
    if (message.method !== 'tools/call') return void stream.write(answer(message));
    for (const end of ['\n', '\r', '\r\n']) {
      const id = `e${asked.push(end)}`;
      const lines = ['{"jsonrpc":"2.0",', `"id":"${id}","method":"elicitation\\u002fcreate","params":{"message":"who?"}}`];
      const text = lines.map((line) => `data: ${line}${end}`).join('');
      stream.write(`event: message${end}${text}${end}`);
    }
    stream.write(answer(message));
  };
  const client = await connect(await serve(server));
  const seen: unknown[] = [];
  client.fallbackRequestHandler = async (request) => {
    seen.push(request);
    return {};
  };
  expect(await call(client)).toMatchObject(DONE);
  await until('the server is told thrice', () => server.posted.filter(({ id }) => /^e\d$/.test(String(id))).length === 3);
  expect(seen).toEqual([]);
  await client.close();
});

it('an event of 100 MB ends its stream, its callers are told, and the memory for it is bounded', async () => {
  const server = await SseServer.start();
  const serving = await serve(server);
  const client = await connect(serving);
  let hasEnded = false;
  const piece = 'x'.repeat(1024 * 1024);
  server.script = (message, stream, response) => {
    response.writeHead(202).end();
    if (message.method !== 'tools/call') return void stream.write(answer(message));
    stream.on('close', () => (hasEnded = true));
    stream.write('event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{"text":"');
    let left = 100;
    const go = (): void => {
      while (left-- > 0 && !stream.destroyed) if (!stream.write(piece)) return void stream.once('drain', go);
    };
    go();
  };
  const before = peak(serving);
  await expect(call(client)).rejects.toThrow('the server ended before it answered');
  await until('the server sees the end', () => hasEnded);
  expect(serving.said().join('\n')).toContain('sent an event that is longer than clawai accepts');
  expect(peak(serving) - before).toBeLessThan(96 * 1024);
  await client.close();
  server.script = accepting(answer);
  const again = await connect(serving);
  expect(await call(again)).toMatchObject(DONE);
  await again.close();
});

/** Most memory that it ever had, in KiB; 0 where there is no procfs. */
function peak(serving: Serving): number {
  if (process.platform !== 'linux') return 0;
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${serving.process.pid}/status`, 'utf8'))?.[1] ?? Number.NaN);
}

it('a server behind TLS that names an http address of its own is asked by https', async () => {
  const server = await SseServer.start(SELF_SIGNED);
  server.begin = (session, host) => `event: endpoint\ndata: http://${host}/messages/${session}\n\n`;
  const settings = { old: `tls_fingerprint = "${SELF_SIGNED.fingerprint}"` };
  const client = await connect(await serve(server, { settings }));
  expect(await call(client)).toMatchObject(DONE);
  await client.close();
});

it('a stream that never names an address begins no session, and ends at the server with its client', async () => {
  const server = await SseServer.start();
  server.begin = () => ': nothing\n\n';
  const serving = await serve(server);
  const leaving = new AbortController();
  await fetch(serving.url('old'), { headers: { accept: 'text/event-stream' }, signal: leaving.signal });
  await until('the stream is open', () => server.streams.length > 0);
  const streams = server.streams.length;
  leaving.abort();
  await until('the server sees it', () => server.closed === streams);
  const posted = await fetch(`${serving.url('old')}/~/${'A'.repeat(22)}`, { method: 'POST', body: '{}' });
  expect([posted.status, server.posted]).toEqual([404, []]);
});

it('the address for messages takes none from a page of another name or origin', async () => {
  const server = await SseServer.start();
  const serving = await serve(server);
  const leaving = new AbortController();
  const stream = await fetch(serving.url('old'), { headers: { accept: 'text/event-stream' }, signal: leaving.signal });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  const path = /data: (\S+)/.exec((await reader?.read())?.value ?? '')?.[1] ?? '';
  expect(path).toMatch(/^\/mcp\/old\/[\w-]+\/~\/[\w-]{22}$/);
  const body = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
  const { host, port } = new URL(serving.origin);
  const ask = async (...lines: string[]): Promise<number[]> => {
    const more = ['content-type: application/json', `content-length: ${body.length}`, 'connection: close'];
    return statusesIn(await exchange(serving.origin, head(`POST ${path} HTTP/1.1`, ...lines, ...more) + body));
  };
  expect(await ask(`host: evil.example:${port}`)).toEqual([403]);
  expect(await ask(`host: ${host}`, 'origin: https://evil.example')).toEqual([403]);
  expect(server.posted).toEqual([]);
  expect(await ask(`host: ${host}`)).toEqual([202]);
  leaving.abort();
});

/** @module-tag long */
// clawai serve under mixed load: calls, streams, sessions that come and go, and clients that break.
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { residentMemory } from '../support/memory.ts';
import { callOf, JSON_HEADERS, post, said } from '../support/post.ts';
import { Sandbox, support } from '../support/sandbox.ts';
import { answerOk, ScriptedServer, type Script, sendJson } from '../support/scripted-server.ts';
import { Serving } from '../support/serving.ts';
import { until } from '../support/until.ts';

/** The load's time; more where somebody has it. `npm run soak` takes an hour. */
const SECONDS = Number(process.env['CLAWAI_LOAD_SECONDS'] ?? 30);

/**
 * MiB that may be held more at the end than after the first third. Of what is resident, much is what V8 keeps for its next objects, and the
 * store's cache.
 */
const MOST_GROWTH = { held: 4, resident: 64 };

/** Milliseconds until what broken requests have left behind is gone. */
const REST = 500;

const CLIENTS = 8;
const EVENTS = 20;

let sandbox: Sandbox;
let server: ScriptedServer;
let serving: Serving;
beforeEach(async () => {
  sandbox = new Sandbox();
  server = await ScriptedServer.start();
  const policy = '[defaults]\naction = "allow"\n[[rule]]\naction = "deny"\ntool = "evil"\nargs."**" = "**/.ssh/**"\n';
  const env = { NODE_OPTIONS: `--import ${support('report-heap.mjs')}` };
  serving = await Serving.start(sandbox, { env, servers: { s: server.url }, policy });
});
afterEach(async () => {
  await serving.stop();
  await server.stop();
  sandbox.remove();
});

let sessions = 0;

/** Streams of HTTP+SSE by session. */
const older = new Map<string, ServerResponse>();

/** A server with sessions and streams, and HTTP+SSE beside them: what a call says in its `text` tells how it is answered. */
const script: Script = (request, response) => {
  server.seen.length = 0;
  const { message, method } = request;
  const id = message.id;
  if (message.method === 'initialize') {
    response.setHeader('mcp-session-id', `session-${++sessions}`);
    const serverInfo = { name: 'load', version: '1' };
    sendJson(response, { jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo } });
  } else if (method === 'GET') {
    const session = `${++sessions}`;
    older.set(session, response.writeHead(200, { 'content-type': 'text/event-stream' }));
    response.on('close', () => older.delete(session));
    response.write(`event: endpoint\ndata: /older?session=${session}\n\n`);
  } else if (request.url.startsWith('/older')) {
    response.writeHead(202).end();
    const result = { content: [{ type: 'text', text: 'by stream' }] };
    const answer = JSON.stringify({ jsonrpc: '2.0', id, result });
    older.get(request.url.split('=')[1] ?? '')?.write(`event: message\ndata: ${answer}\n\n`);
  } else if (method === 'DELETE') response.writeHead(200).end();
  else if (message.params?.arguments?.['text'] !== 'stream') answerOk(request, response);
  else {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const params = { progressToken: 1, progress: 1, message: 'x'.repeat(500) };
    const progress = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params });
    for (let at = 0; at < EVENTS; at++) response.write(`id: ${at}\ndata: ${progress}\n\n`);
    const result = { content: [{ type: 'text', text: 'streamed' }] };
    setTimeout(() => response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`), 20);
  }
};

const MODERN = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };

type Deed = (url: string) => Promise<unknown>;

const DEEDS: readonly Deed[] = [
  async (url) => expect(said(await post(url, callOf(1, { text: 'one' })))).toBe('one'),
  async (url) => expect(said(await post(url, callOf(1, { path: '/home/ann/.ssh/id_rsa' }, 'evil')))).toContain('clawai denied'),
  async (url) => expect(said(await post(url, callOf('s', { text: 'stream' })))).toBe('streamed'),
  async (url) => {
    const params = { name: 't', arguments: { text: 'modern' }, _meta: MODERN };
    const message = { jsonrpc: '2.0', id: 'm', method: 'tools/call', params };
    expect(said(await post(url, message, { 'mcp-protocol-version': '2026-07-28' }))).toBe('modern');
  },
  async (url) => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'load', version: '1' } };
    const greeting = await post(url, { jsonrpc: '2.0', id: 0, method: 'initialize', params });
    const session = { 'mcp-session-id': greeting.headers.get('mcp-session-id') ?? '' };
    expect(session['mcp-session-id']).toMatch(/^session-/);
    expect(said(await post(url, callOf(1, { text: 'in session' }), session))).toBe('in session');
    expect(said(await post(url, callOf(2, { text: 'stream' }), session))).toBe('streamed');
    await fetch(url, { method: 'DELETE', headers: session });
  },
  // A session of HTTP+SSE, which ends when its client leaves.
  async (url) => {
    const leaving = new AbortController();
    const { body } = await fetch(url, { headers: { accept: 'text/event-stream' }, signal: leaving.signal });
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const readUntil = async (wanted: string): Promise<void> => {
      while (!text.includes(wanted)) text += (await reader?.read())?.value ?? '';
    };
    await readUntil('\n\n');
    const endpoint = new URL(/data: (.*)/.exec(text)?.[1] ?? '', url).href;
    expect((await post(endpoint, callOf(1, { text: 'one' }))).status).toBe(202);
    await readUntil('by stream');
    expect((await post(endpoint, callOf(2, { path: '/home/ann/.ssh/id_rsa' }, 'evil'))).status).toBe(202);
    await readUntil('clawai denied');
    leaving.abort();
  },
  // Leaves in the middle of a stream.
  async (url) => {
    const leaving = new AbortController();
    const body = JSON.stringify(callOf(1, { text: 'stream' }));
    const response = await fetch(url, { method: 'POST', headers: JSON_HEADERS, body, signal: leaving.signal });
    await response.body?.getReader().read();
    leaving.abort();
  },
  // Leaves in the middle of its request.
  async (url) => {
    const { port, pathname, host } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
    socket.write(
      `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{"a":`,
    );
    await pause(5);
    socket.resetAndDestroy();
  },
  async (url) => expect((await post(url, '{"jsonrpc":')).status).toBe(400),
  async (url) => expect(said(await post(url, callOf(1, { text: 'x'.repeat(300_000) })))).toHaveLength(300_000),
];

async function load(url: string, ending: number): Promise<number> {
  let done = 0;
  while (performance.now() < ending) {
    await DEEDS[done % DEEDS.length]?.(url);
    done += 1;
  }
  return done;
}

/** All clients at once, for so many seconds: how much they have done. */
async function loadFor(seconds: number): Promise<number> {
  const ending = performance.now() + seconds * 1000;
  const done = await Promise.all(Array.from({ length: CLIENTS }, () => load(serving.url('s'), ending)));
  return done.reduce((sum, count) => sum + count);
}

/** MiB of the process, once it has given back what it does not need. */
async function measure(): Promise<{ readonly held: number; readonly resident: number }> {
  const reports = (): string[] => serving.process.stderr.split('\n').filter((line) => line.startsWith('heap: '));
  const { length } = reports();
  process.kill(serving.process.pid, 'SIGUSR2');
  await until('it has reported', () => reports().length > length);
  const held = Number(reports().at(-1)?.slice('heap: '.length)) / 2 ** 20;
  return { held, resident: residentMemory(serving.process.pid, 'now') };
}

/** What requests under way hold, by chance much or little, is no growth: it is measured when nobody asks for anything. */
async function measureAtRest(): ReturnType<typeof measure> {
  await until('all streams are closed', async () => (await serving.metrics()).get('clawai_streams{server="s"}') === 0);
  await pause(REST);
  return measure();
}

it.runIf(process.platform === 'linux')(
  'memory stays, and nothing is left of sessions, streams and requests',
  { timeout: (SECONDS + 30) * 1000 },
  async () => {
    server.script = script;
    const early = await loadFor(SECONDS / 3);
    const before = await measureAtRest();
    const late = await loadFor((SECONDS * 2) / 3);
    const after = await measureAtRest();
    expect(early + late).toBeGreaterThan(SECONDS * 20);
    expect(after.held).toBeLessThan(before.held + MOST_GROWTH.held);
    expect(after.resident).toBeLessThan(before.resident + MOST_GROWTH.resident);

    const metrics = await serving.metrics();
    expect(metrics.get('clawai_sessions{server="s"}')).toBe(0);
    // As many as there were clients at once, of each era.
    expect(metrics.get('clawai_gates{server="s"}')).toBeLessThanOrEqual(4 * CLIENTS);
    expect(metrics.get('clawai_requests_total{server="s"}')).toBeGreaterThan(SECONDS * 20);
  },
);

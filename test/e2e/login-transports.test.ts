// A managed login behind which a server of the modern era, or one of HTTP+SSE, is.
import { Client, SSEClientTransport as SSEClientTransportV2, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describe, expect, it } from 'vitest';
import { startEverything, startFixture, startModernOnly } from '../support/http-server.ts';
import { useLoginScene } from '../support/login-scene.ts';
import { until } from '../support/until.ts';

const scene = useLoginScene();
const INFO = { name: 'test', version: '1' };

it('a server of the modern era: calls, and a renewal that its client does not see', async () => {
  const { world, sandbox } = scene.current;
  const fixture = await startFixture(sandbox);
  world.behind = fixture.url;
  await scene.current.logIn();
  const serving = await scene.current.serve();
  const client = new Client(INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(new StreamableHTTPClientTransport(new URL(serving.url('guarded'))));
  const first = await client.callTool({ name: 'test_simple_text', arguments: {} });
  expect(first.content).toEqual([expect.objectContaining({ type: 'text' })]);
  await world.spoil(scene.current.lastToken());
  expect(await client.callTool({ name: 'test_simple_text', arguments: {} })).toMatchObject({ content: first.content });
  expect(world.grants('refresh_token')).toBe(1);
  const calls = world.arrived.filter(({ headers }) => headers['mcp-method'] === 'tools/call');
  expect(calls.map(({ headers }) => headers['mcp-protocol-version'])).toEqual(Array.from({ length: 3 }, () => '2026-07-28'));
  await client.close();
  await fixture.stop();
});

it('a server of the modern era alone, with a client of the legacy one', async () => {
  const { world, sandbox } = scene.current;
  const modern = await startModernOnly(sandbox);
  world.behind = modern.url;
  await scene.current.logIn();
  world.arrived.length = 0;
  const serving = await scene.current.serve();
  const client = new LegacyClient({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: 'Bearer of-the-client' } };
  await client.connect(new HttpV1(new URL(serving.url('guarded')), { requestInit }) as Transport);
  const call = () => client.callTool({ name: 'shout', arguments: { text: 'hello' } });
  expect(await call()).toMatchObject({ content: [{ text: 'HELLO' }] });
  await world.spoil(scene.current.lastToken());
  expect(await Promise.all([call(), call(), call()])).toHaveLength(3);
  expect(world.grants('refresh_token')).toBe(1);
  const sent = world.arrived.map(({ headers }) => headers.authorization);
  expect(sent).not.toContain(undefined);
  expect(sent).not.toContain('Bearer of-the-client');
  expect((await scene.current.clawai('logout', 'guarded').close()).code).toBe(0);
  await expect(call()).rejects.toThrow('run `clawai login guarded`');
  await client.close();
  await modern.stop();
});

it('a server of HTTP+SSE: the stream and the messages bring the token, and it is renewed under an open stream', async () => {
  const { world, sandbox } = scene.current;
  const everything = await startEverything(sandbox, 'sse');
  world.behind = everything.url;
  await scene.current.logIn();
  const serving = await scene.current.serve();
  const client = new LegacyClient(INFO);
  await client.connect(new SSEClientTransport(new URL(serving.url('guarded'))));
  const call = () => client.callTool({ name: 'echo', arguments: { message: 'hello' } });
  expect(await call()).toMatchObject({ content: [{ text: 'Echo: hello' }] });
  await world.spoil(scene.current.lastToken());
  expect(await Promise.all([call(), call(), call()])).toHaveLength(3);
  expect(world.grants('refresh_token')).toBe(1);
  const bare = world.arrived.filter(({ method, headers }) => method === 'GET' && headers.authorization === undefined);
  expect(bare).toEqual([]);
  await client.close();
  await everything.stop();
});

describe('a server of HTTP+SSE without a login', () => {
  it.each([
    ['SDK 1', () => new LegacyClient(INFO), (url: URL) => new SSEClientTransport(url)],
    ['SDK 2', () => new Client(INFO), (url: URL) => new SSEClientTransportV2(url)],
  ] as const)('its client hears what to do, gets no 401, and works after a login: %s', async (_sdk, create, toTransport) => {
    const { world, sandbox } = scene.current;
    const everything = await startEverything(sandbox, 'sse');
    world.behind = everything.url;
    const serving = await scene.current.serve();
    const url = new URL(serving.url('guarded'));
    const connect = async (): Promise<LegacyClient | Client> => {
      const client = create();
      await client.connect(toTransport(url) as never);
      return client;
    };
    await expect(connect()).rejects.toThrow('run `clawai login guarded`');
    await scene.current.logIn();
    const client = await connect();
    expect((await client.listTools()).tools).not.toEqual([]);
    await client.close();
    await everything.stop();
  });

  it('its client hears that its login lacks rights, and each request of its session does', async () => {
    const { world } = scene.current;
    await scene.current.logIn();
    const serving = await scene.current.serve();
    world.refuses = 'Bearer error="insufficient_scope", scope="mcp:write"';
    const url = new URL(serving.url('guarded'));
    const transport = new SSEClientTransport(url);
    const told: unknown[] = [];
    Object.assign(transport, { onmessage: (message: unknown) => told.push(message) });
    await transport.start();
    for (const id of [1, 2]) await transport.send({ jsonrpc: '2.0', id, method: 'tools/list' });
    await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' }).catch(() => {});
    await until('both are answered', () => told.length === 2);
    const error = { message: expect.stringContaining('guarded needs a login with more rights (mcp:write)') };
    expect(told).toMatchObject([1, 2].map((id) => ({ id, error })));
    await transport.close();
  });

  it('a request of a session, or of streamable HTTP, gets no stream', async () => {
    const serving = await scene.current.serve();
    for (const header of ['mcp-session-id', 'mcp-protocol-version']) {
      const headers = { accept: 'text/event-stream', [header]: '2025-11-25' };
      const answer = await fetch(serving.url('guarded'), { headers });
      expect([answer.status < 500 && answer.status >= 400, await answer.text()]).toEqual([
        true,
        expect.stringContaining('jsonrpc'),
      ]);
    }
  });

  it('its open stream does not keep serve from ending', async () => {
    const serving = await scene.current.serve();
    const answer = await fetch(serving.url('guarded'), { headers: { accept: 'text/event-stream' } });
    expect(answer.status).toBe(200);
    expect((await serving.stop()).code).toBe(0);
    await answer.body?.cancel().catch(() => {});
  });
});

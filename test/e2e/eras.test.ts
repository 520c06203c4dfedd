/** @module-tag long */
// Clients and servers that have no protocol revision in common, with clawai between them.
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpServer, startEverything, startModernOnly } from '../support/http-server.ts';
import { Sandbox, serverPackage, support } from '../support/sandbox.ts';
import { Serving } from '../support/serving.ts';
import { until } from '../support/until.ts';

const POLICY = `
[defaults]
action = "allow"

[[rule]]
id = "no-writing"
action = "deny"
tool = ["forbidden", "get-env"]
description = "Nothing is changed here"

[[rule]]
id = "no-thinking"
action = "deny"
method = "sampling/createMessage"
args."**" = "**capital**"
`;

const TRANSPORTS = ['stdio', 'HTTP', 'serve'] as const;

let sandbox: Sandbox;
let remote: HttpServer | undefined;
let serving: Serving | undefined;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(async () => {
  await serving?.stop();
  serving = undefined;
  await remote?.stop();
  remote = undefined;
  sandbox.remove();
});

/** What was sent to the server. */
const seen = (): string => sandbox.read('seen').toString();

/** Writes down what is sent to a server that a test starts as a process. */
const recorded = (): string[] => [process.execPath, support('recorded.mjs'), sandbox.path('seen'), process.execPath];

/** The command line of a proxy, as a client starts it. */
function toProxy(flags: readonly string[], server: readonly string[]) {
  const policy = sandbox.write('policy.toml', POLICY);
  const target = remote === undefined ? ['--', ...recorded(), ...server] : ['--url', remote.url];
  const [command, ...args] = sandbox.command('proxy', '--policy', policy, ...flags, ...target);
  return { command, args, env: { ...sandbox.env }, stderr: 'ignore' as const };
}

/** The URL of the remote server at a `clawai serve`. */
async function served(server: HttpServer, settings = ''): Promise<URL> {
  serving ??= await Serving.start(sandbox, { servers: { remote: server.url }, settings: { remote: settings }, policy: POLICY });
  return new URL(serving.url('remote'));
}

describe.each(TRANSPORTS)('a client of 2025 with a server that speaks only 2026-07-28, over %s', (transport) => {
  async function connect(): Promise<Client> {
    if (transport !== 'stdio') remote ??= await startModernOnly(sandbox);
    const client = new Client({ name: 'old', version: '1.0.0' }, { capabilities: { elicitation: {}, sampling: {} } });
    const toServer = transport === 'serve' ? (new HttpV1(await served(remote as HttpServer)) as Transport) : undefined;
    await client.connect(toServer ?? new StdioClientTransport(toProxy([], [support('modern-only-server.mjs')])));
    return client;
  }

  it('has a session, and everything that the server declares', async () => {
    const client = await connect();
    expect(client.getServerVersion()).toMatchObject({ name: 'modern-only', version: '1.0.0' });
    expect(client.getInstructions()).toBe('For tests.');
    await client.ping();
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('shout');
    expect((await client.readResource({ uri: 'doc://open' })).contents).toMatchObject([{ text: 'this is open' }]);
    expect((await client.getPrompt({ name: 'open', arguments: { text: 'hi' } })).messages).toHaveLength(1);
    await expect(client.readResource({ uri: 'doc://none' })).rejects.toThrow('doc://none');
    await client.close();
  });

  it('has its calls decided and recorded once', async () => {
    const client = await connect();
    expect((await client.callTool({ name: 'shout', arguments: { text: 'quiet' } })).content).toEqual([
      { type: 'text', text: 'QUIET' },
    ]);
    const denied = await client.callTool({ name: 'forbidden', arguments: { text: 'quiet' } });
    expect(denied).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('Nothing is changed here') }] });
    await client.close();
    if (transport === 'stdio') expect(seen()).not.toContain('"forbidden"');
    expect(sandbox.decided().map((event) => [event['tool_name'], event['decision']])).toEqual([
      ['shout', 'allow'],
      ['forbidden', 'deny'],
    ]);
  });

  it('is asked for what a call needs', async () => {
    const client = await connect();
    const asked: string[] = [];
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { name: 'Ann' } };
    });
    const { content } = await client.callTool({ name: 'greet', arguments: { word: 'Hello' } });
    expect(content).toEqual([{ type: 'text', text: 'Hello, Ann (state-1)' }]);
    expect(asked).toEqual(['Who are you?']);
    await client.close();
    expect(sandbox.decided().filter((event) => event['tool_name'] === 'greet')).toHaveLength(1);
  });

  it('is not asked for what the policy denies', async () => {
    const client = await connect();
    const asked: string[] = [];
    client.setRequestHandler(CreateMessageRequestSchema, ({ method }) => {
      asked.push(method);
      return { model: 'none', role: 'assistant', content: { type: 'text', text: 'Paris' } };
    });
    await expect(client.callTool({ name: 'think', arguments: {} })).rejects.toThrow('sampling/createMessage');
    expect(asked).toEqual([]);
    await client.close();
  });

  it('gets progress', async () => {
    const client = await connect();
    const progress: number[] = [];
    let released: Promise<unknown> | undefined;
    const onprogress = (one: { readonly progress: number }): void => {
      progress.push(one.progress);
      released = client.callTool({ name: 'release', arguments: {} });
    };
    await client.callTool({ name: 'wait', arguments: {} }, undefined, { onprogress });
    await released;
    expect(progress).toEqual([1]);
    await client.close();
  });

  // Over HTTP, the SDK's server makes another one for each request: no list of it can change.
  it.runIf(transport === 'stdio')('gets changes of lists', async () => {
    const client = await connect();
    let changes = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void changes++);
    await client.callTool({ name: 'grow', arguments: {} });
    await until('a change of the list', () => changes > 0);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('grown');
    await client.close();
  });

  it('trusts the definitions that a client of the other era has seen', async () => {
    const old = await connect();
    const { tools } = await old.listTools();
    await old.close();
    const versionNegotiation = { mode: { pin: '2026-07-28' } };
    const other = new ClientV2({ name: 'new', version: '1.0.0' }, { versionNegotiation });
    const toServer = transport === 'serve' ? new HttpV2(await served(remote as HttpServer)) : undefined;
    await other.connect(toServer ?? new StdioV2(toProxy([], [support('modern-only-server.mjs')])));
    expect((await other.listTools()).tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    await other.close();
    const types = sandbox.events().map(({ type }) => type);
    expect(types).toContain('mcp_tool_seen');
    expect(types).not.toContain('mcp_tool_changed');
    expect(types).not.toContain('mcp_server_changed');
  });

  it.runIf(transport === 'stdio')('can cancel a call', async () => {
    const client = await connect();
    const controller = new AbortController();
    const call = client.callTool({ name: 'hang', arguments: {} }, undefined, { signal: controller.signal });
    await until('the call', () => seen().includes('"hang"'));
    controller.abort('enough');
    await expect(call).rejects.toThrow('enough');
    await until('the cancellation', () => seen().includes('notifications/cancelled'));
    await client.close();
  });
});

describe.each(TRANSPORTS)('a client that speaks only 2026-07-28 with a server of 2025, over %s', (transport) => {
  async function connect(): Promise<ClientV2> {
    if (transport !== 'stdio') remote = await startEverything(sandbox);
    const versionNegotiation = { mode: { pin: '2026-07-28' } };
    const client = new ClientV2(
      { name: 'new', version: '1.0.0' },
      { capabilities: { elicitation: {}, sampling: {} }, versionNegotiation },
    );
    const toServer = transport === 'serve' ? new HttpV2(await served(remote as HttpServer, 'modern_only = true')) : undefined;
    await client.connect(toServer ?? new StdioV2(toProxy(['--modern-only'], [serverPackage('everything'), 'stdio'])));
    return client;
  }

  it('finds everything that the server declares', async () => {
    const client = await connect();
    expect(client.getServerVersion()).toMatchObject({ name: 'mcp-servers/everything' });
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('echo');
    const { contents } = await client.readResource({ uri: 'demo://resource/static/document/architecture.md' });
    expect(contents).toHaveLength(1);
    expect((await client.getPrompt({ name: 'simple-prompt' })).messages).toHaveLength(1);
    await expect(client.readResource({ uri: 'demo://none' })).rejects.toThrow('demo://none');
    await client.close();
  });

  it('has its calls decided and recorded once', async () => {
    const client = await connect();
    expect((await client.callTool({ name: 'echo', arguments: { message: 'grüße' } })).content).toEqual([
      { type: 'text', text: 'Echo: grüße' },
    ]);
    const denied = await client.callTool({ name: 'get-env', arguments: {} });
    expect(denied).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('Nothing is changed here') }] });
    await client.close();
    if (transport === 'stdio') expect(seen()).not.toContain('"get-env"');
    expect(sandbox.decided().map((event) => [event['tool_name'], event['decision']])).toEqual([
      ['echo', 'allow'],
      ['get-env', 'deny'],
    ]);
  });

  it('is asked for what a call needs, unless the policy denies that', async () => {
    const client = await connect();
    const asked: string[] = [];
    client.setRequestHandler(
      'elicitation/create',
      ({ method }) => (asked.push(method), { action: 'accept', content: { name: 'Ann' } }),
    );
    client.setRequestHandler('sampling/createMessage', ({ method }) => {
      asked.push(method);
      return { model: 'none', role: 'assistant', content: { type: 'text', text: 'Paris' } } as const;
    });
    const filled = await client.callTool({ name: 'trigger-elicitation-request', arguments: {} });
    expect(JSON.stringify(filled.content)).toContain('Ann');
    const said = await client.callTool({ name: 'trigger-sampling-request', arguments: { prompt: 'Say it' } });
    expect(JSON.stringify(said.content)).toContain('Paris');
    const denied = await client
      .callTool({ name: 'trigger-sampling-request', arguments: { prompt: 'the capital' } })
      .catch(String);
    expect(JSON.stringify(denied)).toContain('no-thinking');
    expect(asked).toEqual(['elicitation/create', 'sampling/createMessage']);
    await client.close();
  });

  it('gets progress, and can cancel a call', async () => {
    const client = await connect();
    const progress: number[] = [];
    const call = (duration: number, signal?: AbortSignal) =>
      client.callTool(
        { name: 'trigger-long-running-operation', arguments: { duration, steps: 2 } },
        { onprogress: (one) => progress.push(one.progress), ...(signal && { signal }) },
      );
    // The first step comes a second before the answer.
    await call(2);
    expect(progress[0]).toBe(1);
    const controller = new AbortController();
    const cancelled = call(60, controller.signal);
    controller.abort('enough');
    await expect(cancelled).rejects.toThrow('enough');
    expect((await client.callTool({ name: 'echo', arguments: { message: 'on' } })).content).toMatchObject([{ text: 'Echo: on' }]);
    await client.close();
  });
});

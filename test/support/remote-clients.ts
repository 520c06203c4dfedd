import { resolve } from 'node:path';
import {
  Client as ClientV2,
  SSEClientTransport as SseV2,
  StreamableHTTPClientTransport as HttpV2,
  type Transport as TransportV2,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as SseV1 } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const MCP_REMOTE = resolve('node_modules', 'mcp-remote', 'dist', 'proxy.js');

/** How a client gets to a server. */
export interface RemoteTarget {
  readonly url: string;
  /** Of processes that the client starts. */
  readonly env: Readonly<Record<string, string>>;
  /** Starts a clawai that reaches the server itself, in place of the URL. */
  readonly proxy: readonly [string, ...string[]];
}

interface CallOptions {
  readonly onprogress?: (progress: { readonly progress: number }) => void;
  readonly signal?: AbortSignal;
}

/** What tests ask of a client that reaches its server over HTTP, whichever it is. */
export interface RemoteSession {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<Readonly<Record<string, unknown>>>;
  readResource(uri: string): Promise<unknown>;
  getPrompt(name: string, args: Readonly<Record<string, string>>): Promise<unknown>;
  close(): Promise<void>;
  /** Methods that the server asked for, in order. */
  readonly asked: readonly string[];
}

const IDENTITY = { name: 'clawai-test', version: '1.0.0' };
const CAPABILITIES = { sampling: {}, elicitation: {}, roots: {} };

/** What a model would say, and what a person would fill in. */
const SAID = { model: 'none', role: 'assistant', content: { type: 'text', text: 'Paris, of course' } } as const;
const FILLED = { action: 'accept', content: { username: 'ann', email: 'ann@example.com', name: 'Ann' } } as const;

async function connectV1(transport: Transport): Promise<RemoteSession> {
  const client = new ClientV1(IDENTITY, { capabilities: CAPABILITIES });
  const asked: string[] = [];
  client.setRequestHandler(CreateMessageRequestSchema, ({ method }) => (asked.push(method), SAID));
  client.setRequestHandler(ElicitRequestSchema, ({ method }) => (asked.push(method), FILLED));
  await client.connect(transport);
  return {
    asked,
    listTools: () => client.listTools(),
    callTool: (name, args, options) => client.callTool({ name, arguments: { ...args } }, undefined, { ...options }),
    readResource: (uri) => client.readResource({ uri }),
    getPrompt: (name, args) => client.getPrompt({ name, arguments: { ...args } }),
    close: () => client.close(),
  };
}

function connectV2(
  mode: 'legacy' | 'auto' | { readonly pin: string },
  transport: (target: RemoteTarget) => TransportV2 = ({ url }) => new HttpV2(new URL(url)),
): (target: RemoteTarget) => Promise<RemoteSession> {
  return async (target) => {
    const client = new ClientV2(IDENTITY, { capabilities: CAPABILITIES, versionNegotiation: { mode } });
    const asked: string[] = [];
    client.setRequestHandler('sampling/createMessage', ({ method }) => (asked.push(method), SAID));
    client.setRequestHandler('elicitation/create', ({ method }) => (asked.push(method), FILLED));
    await client.connect(transport(target));
    return {
      asked,
      listTools: () => client.listTools(),
      callTool: (name, args, options) => client.callTool({ name, arguments: { ...args } }, { ...options }),
      readResource: (uri) => client.readResource({ uri }),
      getPrompt: (name, args) => client.getPrompt({ name, arguments: { ...args } }),
      close: () => client.close(),
    };
  };
}

function toProcess([command, ...args]: RemoteTarget['proxy'], env: RemoteTarget['env']) {
  return { command, args, env: { ...env }, stderr: 'ignore' as const };
}

function connectRemote({ url, env }: RemoteTarget, transport: string): Promise<RemoteSession> {
  const args = [MCP_REMOTE, url, '--transport', transport];
  return connectV1(new StdioClientTransport(toProcess([process.execPath, ...args], env)));
}

/** Every client that tests drive over HTTP, by what it is called in their names. */
export const REMOTE_CLIENTS = {
  'SDK 1': ({ url }) => connectV1(new HttpV1(new URL(url)) as Transport),
  'SDK 2, legacy era': connectV2('legacy'),
  'SDK 2, modern era': connectV2({ pin: '2026-07-28' }),
  'SDK 2, whatever there is': connectV2('auto'),
  'SDK 1 by way of mcp-remote': (target) => connectRemote(target, 'http-only'),
  'SDK 1, HTTP+SSE': ({ url }) => connectV1(new SseV1(new URL(url)) as Transport),
  'SDK 2, HTTP+SSE': connectV2('legacy', ({ url }) => new SseV2(new URL(url))),
  'SDK 1 by way of mcp-remote, HTTP+SSE': (target) => connectRemote(target, 'sse-only'),
  'SDK 1 by way of mcp-remote, which falls back': (target) => connectRemote(target, 'http-first'),
  'SDK 1 by way of proxy --url': ({ proxy, env }) => connectV1(new StdioClientTransport(toProcess(proxy, env))),
  'SDK 2, modern era, by way of proxy --url': connectV2(
    { pin: '2026-07-28' },
    ({ proxy, env }) => new StdioV2(toProcess(proxy, env)),
  ),
} as const satisfies Record<string, (target: RemoteTarget) => Promise<RemoteSession>>;

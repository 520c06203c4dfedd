/** @module-tag long */
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SqliteQuestions } from '../../src/store/approval-store.ts';
import { type HttpServer, startEverything } from '../support/http-server.ts';
import { Sandbox, serverPackage } from '../support/sandbox.ts';
import { Serving } from '../support/serving.ts';
import { waitingCalls } from '../support/waiting-calls.ts';

const POLICY = `
[defaults]
action = "allow"
[approval]
timeout = "5s"
channels = ["terminal", "elicitation"]
[[rule]]
id = "by-a-person"
action = "prompt"
tool = "echo"
args.message = "grave*"
require_person = true
[[rule]]
id = "ask"
action = "prompt"
tool = "echo"
`;

type Answer = { readonly action: 'accept' | 'decline' | 'cancel'; readonly content?: Record<string, string> };

const YES: Answer = { action: 'accept', content: { decision: 'allow once' } };
const NO: Answer = { action: 'accept', content: { decision: 'deny' } };

/** A client that is asked, and how it answers. */
interface Asked {
  readonly questions: string[];
  answer: Answer | undefined;
  call(message: string): Promise<unknown>;
  close(): Promise<void>;
}

let sandbox: Sandbox;
let remote: HttpServer | undefined;
let serving: Serving | undefined;
const opened: Asked[] = [];
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(async () => {
  for (const client of opened.splice(0)) await client.close();
  await serving?.stop();
  await remote?.stop();
  [serving, remote] = [undefined, undefined];
  sandbox.remove();
});

function toProxy() {
  const server = [process.execPath, serverPackage('everything'), 'stdio'];
  const [command, ...args] = sandbox.command(
    'proxy',
    '--server',
    's',
    '--policy',
    sandbox.write('policy.toml', POLICY),
    '--',
    ...server,
  );
  return { command, args, env: { ...sandbox.env }, stderr: 'ignore' as const };
}

async function served(transport: 'streamableHttp' | 'sse'): Promise<URL> {
  remote = await startEverything(sandbox, transport);
  serving = await Serving.start(sandbox, { servers: { s: remote.url }, policy: POLICY });
  return new URL(serving.url('s'));
}

const TRANSPORTS: Readonly<Record<string, () => Promise<Transport>>> = {
  stdio: async () => new StdioClientTransport(toProxy()),
  HTTP: async () => new StreamableHTTPClientTransport(await served('streamableHttp')) as Transport,
  'HTTP+SSE': async () => new SSEClientTransport(await served('sse')),
};

async function connectV1(transport: Transport, capabilities: object = { elicitation: {} }): Promise<Asked> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities });
  const asked: Asked = {
    questions: [],
    answer: YES,
    call: (message) => client.callTool({ name: 'echo', arguments: { message } }),
    close: () => client.close(),
  };
  if ('elicitation' in capabilities) {
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      asked.questions.push(params.message);
      return asked.answer ?? new Promise<never>(() => {});
    });
  }
  opened.push(asked);
  await client.connect(transport);
  // The stream by which a server asks is opened after the greeting.
  await client.listTools();
  return asked;
}

async function connectV2(): Promise<Asked> {
  const client = new ClientV2(
    { name: 'test', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'legacy' } },
  );
  const asked: Asked = {
    questions: [],
    answer: YES,
    call: (message) => client.callTool({ name: 'echo', arguments: { message } }),
    close: () => client.close(),
  };
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.questions.push(params.message);
    return asked.answer ?? new Promise<never>(() => {});
  });
  opened.push(asked);
  await client.connect(new StdioV2(toProxy()));
  return asked;
}

const CLIENTS: Readonly<Record<string, () => Promise<Asked>>> = {
  ...Object.fromEntries(
    Object.entries(TRANSPORTS).map(([name, open]) => [`SDK 1 over ${name}`, async () => connectV1(await open())]),
  ),
  'SDK 2, legacy era, over stdio': connectV2,
};

function recorded(): Record<string, unknown>[] {
  return sandbox.decided().filter((event) => event['tool_name'] === 'echo');
}

describe.each(Object.entries(CLIENTS))('%s', (_name, connect) => {
  it('asks its user, whose answer counts and is on record as what it is', async () => {
    const client = await connect();
    expect(JSON.stringify(await client.call('hi'))).toContain('Echo: hi');
    expect(client.questions).toEqual([
      expect.stringMatching(/^clawai asks, not the server: .*tool: "echo"\narguments: \{"message":"hi"\}/s),
    ]);
    client.answer = NO;
    expect(JSON.stringify(await client.call('no'))).toContain('refused');
    expect(recorded()).toMatchObject([
      { approval: 'granted', approved_by: 'elicitation', approval_scope: 'once' },
      { approval: 'refused', refused_by: 'elicitation' },
    ]);
  });
});

describe('a client that is asked', () => {
  it('may leave it to the terminal, and the first answer counts', async () => {
    const client = await connectV1(new StdioClientTransport(toProxy()));
    const store = new SqliteQuestions({ file: sandbox.storeFile, sync: 'normal' });
    for (const answer of [{ action: 'cancel' }, undefined] as const) {
      client.answer = answer;
      const called = client.call('hi');
      const [{ id } = { id: '' }] = await waitingCalls(sandbox, { count: 1 });
      store.answer(id, { state: 'granted', by: 'ann', remember: 'once' }, { now: Date.now(), grantedUntil: 0 });
      expect(JSON.stringify(await called)).toContain('Echo: hi');
    }
    store.close();
    expect(client.questions).toHaveLength(2);
    expect(recorded().map((event) => event['approved_by'])).toEqual(['ann', 'ann']);
  });

  it('is denied if nobody answers, or no, or if a rule wants a person', async () => {
    const client = await connectV1(new StdioClientTransport(toProxy()));
    client.answer = { action: 'decline' };
    expect(JSON.stringify(await client.call('hi'))).toContain('refused');
    client.answer = YES;
    expect(JSON.stringify(await client.call('grave'))).toContain('isError');
    expect(client.questions).toHaveLength(1);
    expect(recorded().at(-1)).toMatchObject({ rule: 'by-a-person', approval: 'expired' });
  });

  it('is not asked if it never said that it can be', async () => {
    const client = await connectV1(new StdioClientTransport(toProxy()), {});
    expect(JSON.stringify(await client.call('hi'))).toContain('isError');
    expect(recorded()).toMatchObject([{ approval: 'expired' }]);
  });
});

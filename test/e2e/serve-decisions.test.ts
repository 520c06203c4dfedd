// One call gives one decision, by whatever way it comes: stdio, and HTTP with a session, without one, and of the modern era.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { post } from '../support/post.ts';
import type { Running } from '../support/running.ts';
import { type Event, Sandbox, support } from '../support/sandbox.ts';
import { ScriptedServer } from '../support/scripted-server.ts';
import { Serving } from '../support/serving.ts';
import { until } from '../support/until.ts';

const POLICY = `
[defaults]
action = "deny"

[approval]
channels = []

[[rule]]
id = "no-keys"
action = "deny"
tool = "**"
args."**" = "**/.ssh/**"
description = "Keys stay where they are"

[[rule]]
id = "ask"
action = "prompt"
tool = "risky"

[[rule]]
id = "big"
action = "deny"
tool = "transfer"
args.amount = { gt = 100 }
message = "Ask for less."

[[rule]]
id = "tools"
action = "allow"
tool = ["read_*", "transfer", "t"]

[[rule]]
id = "docs"
action = "allow"
resource = "doc://**"
unless = { resource = "doc://secret/**" }

[[rule]]
id = "prompts"
action = "allow"
prompt = "open"
`;

const tool = (name: string, args: unknown = {}): Call => ({ method: 'tools/call', params: { name, arguments: args } });
const read = (uri: string): Call => ({ method: 'resources/read', params: { uri } });

interface Call {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const CALLS: readonly Call[] = [
  tool('t'),
  tool('t', { text: 'hello' }),
  tool('read_file', { path: '/home/ann/notes.txt' }),
  tool('read_file', { path: '/home/ann/.ssh/id_rsa' }),
  tool('read_file', { path: '/home/ann/%2essh/id_rsa' }),
  tool('read_file', { path: 'notes.txt', others: [{ deep: '/home/ann/.ssh/id_rsa' }] }),
  tool('read_file', { '/home/ann/.ssh/config': true }),
  tool('read_file', { path: 'file:///home/ann/.ssh/id_rsa' }),
  tool('write_file', { path: '/home/ann/notes.txt' }),
  tool('READ_file', {}),
  tool('transfer', { amount: 100 }),
  tool('transfer', { amount: 101 }),
  tool('transfer', { amount: '101' }),
  tool('risky'),
  tool('risky', { path: '~/.ssh/id_rsa' }),
  read('doc://open/a'),
  read('doc://secret/a'),
  read('file:///etc/passwd'),
  { method: 'prompts/get', params: { name: 'open', arguments: {} } },
  { method: 'prompts/get', params: { name: 'secret', arguments: {} } },
];

interface Decided {
  readonly action: unknown;
  readonly decision: unknown;
  readonly rule: unknown;
  readonly reason: unknown;
  /** What the model is told where it was denied, without the number of its record. */
  readonly told: string;
}

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const MODERN = { [VERSION]: '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };

type Way = 'stdio' | 'session' | 'no-session' | 'modern';

let sandbox: Sandbox;
let server: ScriptedServer;
let serving: Serving;
let proxy: Running;
beforeAll(async () => {
  sandbox = new Sandbox();
  server = await ScriptedServer.start();
  serving = await Serving.start(sandbox, { servers: { s: server.url }, policy: POLICY });
  const record = sandbox.path('reached');
  const flags = ['--server', 's-stdio', '--policy', sandbox.path('policy.toml')];
  proxy = sandbox.clawai('proxy', ...flags, '--', process.execPath, support('recording-server.mjs'), record);
});
afterAll(async () => {
  await proxy.close();
  await serving.stop();
  await server.stop();
  sandbox.remove();
});

/** Sends it, and returns the answer's text. */
async function send(way: Way, id: string, call: Call): Promise<string> {
  if (way === 'stdio') {
    proxy.send(`${JSON.stringify({ jsonrpc: '2.0', id, ...call })}\n`);
    const find = (): string | undefined =>
      proxy.stdout
        .toString()
        .split('\n')
        .slice(0, -1)
        .find((line) => (JSON.parse(line) as { id?: unknown }).id === id);
    await proxy.until(() => find() !== undefined);
    return find() ?? '';
  }
  const params = way === 'modern' ? { ...call.params, _meta: MODERN } : call.params;
  const name = call.params['name'] ?? call.params['uri'];
  const headers = {
    session: { 'mcp-session-id': 'one', 'mcp-protocol-version': '2025-11-25' },
    'no-session': {},
    modern: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': call.method, 'mcp-name': String(name) },
  }[way];
  const { status, text } = await post(serving.url('s'), { jsonrpc: '2.0', id, method: call.method, params }, headers);
  expect(status).toBe(200);
  return text;
}

async function decide(way: Way, at: number): Promise<Decided> {
  const id = `${way}-${at}`;
  const call = CALLS[at] as Call;
  const { result, error } = JSON.parse(await send(way, id, call)) as {
    result?: { isError?: boolean; resultType?: string; content?: readonly { readonly text: string }[] };
    error?: { code: number; message: string };
  };
  const find = (): Event | undefined => sandbox.decided().find((one) => one['jsonrpc_id'] === id);
  // What is forwarded is on record by now. What is denied may be answered a moment before.
  await until('it is on record', () => find() !== undefined);
  const event = find() ?? {};
  const { action, decision, rule, reason } = event;
  const isDenied = error !== undefined || result?.isError === true;
  // Clients of the modern era take no other result.
  if (way === 'modern' && isDenied && error === undefined) expect(result?.resultType).toBe('complete');
  const told = error === undefined ? (result?.content?.[0]?.text ?? '') : `${error.code} ${error.message}`;
  return { action, decision, rule, reason, told: isDenied ? told : '' };
}

it.each(CALLS.map(({ method, params }, at) => ({ at, method, params: JSON.stringify(params) })))(
  'one call gives one decision through every transport: $method $params',
  async ({ at }) => {
    const expected = await decide('stdio', at);
    expect(expected.action).toBeOneOf(['allow', 'block']);
    for (const way of ['session', 'no-session', 'modern'] as const) {
      const reached = server.seen.length;
      expect({ way, ...(await decide(way, at)) }).toEqual({ way, ...expected });
      expect(server.seen.length - reached).toBe(expected.action === 'allow' ? 1 : 0);
    }
  },
);

it('the table has all that there is: allowed, denied by rules and by default, and asked for', () => {
  const reasons = new Set(sandbox.decided().map(({ decision, reason }) => `${String(decision)} ${String(reason)}`));
  expect([...reasons].toSorted()).toEqual(expect.arrayContaining(['allow rule', 'deny default', 'deny rule']));
  expect(sandbox.decided()).toHaveLength(CALLS.length * 4);
});

// One call gives one decision, by whatever way it comes: stdio, HTTP with a session, without one, and of the modern era, and in the answer of a
// model, whole or as a stream, in the words of each API.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { askModel, ASKINGS, type Asking, EveryModel } from '../support/every-model.ts';
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

# Whatever way it comes, it is of one session, in which two servers have a tool of one name.
[flow]
enabled = false

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

const TOOL_CALL = 'tools/call';
const PROVIDERS = ['anthropic', 'openai', 'gemini'] as const;

type Way = 'stdio' | 'session' | 'no-session' | 'modern';

let sandbox: Sandbox;
let server: ScriptedServer;
let serving: Serving;
let proxy: Running;
let model: EveryModel;
beforeAll(async () => {
  sandbox = new Sandbox();
  server = await ScriptedServer.start();
  server.tools = [...new Set(CALLS.flatMap(({ method, params }) => (method === TOOL_CALL ? [String(params['name'])] : [])))];
  model = await EveryModel.start();
  const openai = `[llm.providers.responses]\ndialect = "openai"\nbase_url = "${model.origin}"\n`;
  const config = PROVIDERS.map((name) => `[llm.providers.${name}]\nbase_url = "${model.origin}"\n`).join('') + openai;
  serving = await Serving.start(sandbox, { servers: { s: server.url }, policy: POLICY, config });
  await until('its tools are known', async () => {
    const { stdout } = await sandbox.clawai('mcp', 'registry', 'list', '--json').close();
    return server.tools.every((name) => stdout.includes(`"${name}"`));
  });
  const record = sandbox.path('reached');
  const flags = ['--server', 's-stdio', '--policy', sandbox.path('policy.toml')];
  proxy = sandbox.clawai('proxy', ...flags, '--', process.execPath, support('recording-server.mjs'), record);
});
afterAll(async () => {
  await proxy.close();
  await serving.stop();
  await model.stop();
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

/** The same in the answer of a model. What goes on reaches the agent, and nothing else does. */
async function decideByModel(asking: Asking, at: number): Promise<Decided> {
  const id = `${asking.provider}-${asking.isStream ? 'stream' : 'whole'}-${at}`;
  const { params } = CALLS[at] as Call;
  model.call = { id, name: `mcp__s__${String(params['name'])}`, args: params['arguments'] as Readonly<Record<string, unknown>> };
  const answer = await askModel(serving.llmUrl(asking.provider), asking);
  const find = (): Event | undefined => sandbox.decided().find((one) => one['tool_call_id'] === id);
  await until('it is on record', () => find() !== undefined);
  const { action, decision, rule, reason } = find() ?? {};
  expect(answer.includes(id)).toBe(action === 'allow');
  const [, note = ''] = /\[clawai blk_[\w-]{16}\] ((?:[^"\\]|\\.)*)"/.exec(answer) ?? [];
  return { action, decision, rule, reason, told: JSON.parse(`"${note}"`) as string };
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

it.each(CALLS.map(({ method, params }, at) => ({ at, method, params: JSON.stringify(params) })).filter(isToolCall))(
  'hazard 32: one call gives one decision in the words of every API: $params',
  async ({ at }) => {
    const { told, ...expected } = await decide('stdio', at);
    for (const asking of ASKINGS) {
      const { told: note, ...decided } = await decideByModel(asking, at);
      expect({ ...asking, ...decided }).toEqual({ ...asking, ...expected });
      expect(note).toBe(told);
    }
  },
);

it('the table has all that there is: allowed, denied by rules and by default, and asked for', () => {
  const reasons = new Set(sandbox.decided().map(({ decision, reason }) => `${String(decision)} ${String(reason)}`));
  expect([...reasons].toSorted()).toEqual(expect.arrayContaining(['allow rule', 'deny default', 'deny rule']));
  const ways = new Set(
    sandbox.decided().map((event) => String(event['jsonrpc_id'] ?? event['tool_call_id']).replace(/-\d+$/, '')),
  );
  expect(ways.size).toBe(4 + ASKINGS.length);
});

function isToolCall({ method }: { readonly method: string }): boolean {
  return method === TOOL_CALL;
}

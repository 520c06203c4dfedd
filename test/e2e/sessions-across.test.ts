// One session of a client's stdio servers and its remote ones: an agent's program, `clawai proxy` and `clawai serve`, each a process.
import { execFile } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addWrapped } from '../../src/remote/remote-state.ts';
import { StateFolder } from '../../src/wrap/files/state-folder.ts';
import { useSandbox } from '../support/attempt.ts';
import { tool } from '../support/declaring.ts';
import { ModelMock } from '../support/model-mock.ts';
import { callOf, JSON_HEADERS, post, said } from '../support/post.ts';
import { Running } from '../support/running.ts';
import { type Event, support } from '../support/sandbox.ts';
import { ScriptedServer, sendJson } from '../support/scripted-server.ts';
import { Serving } from '../support/serving.ts';

const sandbox = useSandbox();

const TOKEN = 'rk9_Zt4mQw8bVx2nLp7cYd5sHf3jGu6a';
const KEY = 'Vq7_pLw2xNz8cYt4mBd5sHf3jGu6aKe1';
const DENYING = '[defaults]\naction = "allow"\n[flow]\naction = "deny"\n';
const BY_VALUE = '[defaults]\naction = "allow"\n[flow]\nread_then_send = { action = "deny", evidence = "value" }\n';
const IS_KNOWN = process.platform === 'linux' || process.platform === 'darwin';

/** In the URL of a wrapped entry. */
const SECRET = 'a'.repeat(22);

const HELLO = { role: 'user', content: 'Hello.' };

/** Has a program take this machine for one that says nothing of who connects. */
const UNSAID = { NODE_OPTIONS: `--import=data:text/javascript,Object.defineProperty(process,'platform',{value:'sunos'})` };

let remote: ScriptedServer;
let model: ModelMock;
let serving: Serving | undefined;
let agents: Agent[] = [];

beforeAll(async () => {
  remote = await ScriptedServer.start();
  model = await ModelMock.start([{ id: 'toolu_1', name: 'Bash', input: { command: 'ls' } }]);
  remote.script = ({ url, message: { id, method, params } }, response) => {
    if (id === undefined) return void response.writeHead(202).end();
    const greeting = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'chat', version: '1' } };
    const result =
      method === 'initialize'
        ? greeting
        : method === 'tools/list'
          ? {
              tools: url.endsWith('/inbox')
                ? [tool('count_mail', 'Counts.')]
                : [tool('send_message', 'Sends.'), tool('read_inbox', 'Reads.')],
            }
          : { content: [{ type: 'text', text: params?.name === 'read_inbox' ? `token: ${TOKEN}` : 'sent' }] };
    sendJson(response, { jsonrpc: '2.0', id, result });
  };
});
afterAll(async () => {
  await remote.stop();
  await model.stop();
});

beforeEach(() => {
  const local = {
    tools: [[tool('read_file', 'Reads.'), tool('send_email', 'Sends.')]],
    texts: { read_file: `token: ${TOKEN} key: ${KEY}`, send_email: 'sent' },
  };
  writeFileSync(sandbox.current.path('local.json'), JSON.stringify(local));
});
afterEach(async () => {
  for (const agent of agents) await agent.end();
  agents = [];
  await serving?.stop();
  serving = undefined;
});

/** An agent's program, which calls what it is told. */
class Agent {
  readonly #process: Running;
  #answers = 0;

  constructor(
    told: Readonly<Record<string, string>> = {},
    options: { url?: string; inbox?: string; model?: string; program?: string; words?: readonly string[] } = {},
  ) {
    const { current } = sandbox;
    const { url = serving?.url('chat') ?? '', inbox = '', model: asked = '' } = options;
    const { program = support('crossing-agent.mjs'), words = [] } = options;
    const policy = current.path('policy.toml');
    const server = [process.execPath, support('changing-server.mjs'), current.path('local.json')];
    const command = current.command('proxy', '--server', 'local', '--policy', policy, '--', ...server);
    const own = [process.execPath, program, JSON.stringify({ command, urls: { chat: url, inbox, model: asked }, told })];
    const [first = '', ...rest] = [...words, ...own];
    const env = { ...current.env, ANTHROPIC_BASE_URL: model.origin };
    this.#process = new Running([first, ...rest], { env, cwd: current.folder });
    agents.push(this);
  }

  async call(line: string): Promise<string> {
    this.#process.send(`${line}\n`);
    const lines = await this.#process.lines(++this.#answers);
    return JSON.parse(lines[this.#answers - 1] ?? '""') as string;
  }

  async end(): Promise<void> {
    await this.#process.close();
  }
}

async function serve(policy: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  serving = await Serving.start(sandbox.current, {
    servers: { chat: `${remote.url}/chat`, inbox: `${remote.url}/inbox` },
    policy,
    env,
    config: `[llm.providers.anthropic]\nbase_url = "${model.origin}"\n`,
  });
}

/** The sessions that calls were recorded in, by server and tool. */
function sessionsOf(tools: readonly string[]): unknown[] {
  const calls = sandbox.current.decided().filter(({ tool_name: name }) => tools.includes(String(name)));
  return [...new Set(calls.map((event) => event['session_id']))];
}

function flows(): Event[] {
  return sandbox.current.events().filter(({ type }) => type === 'mcp_cross_server_blocked');
}

async function report(): Promise<string> {
  return (await sandbox.current.clawai('report').close()).stdout.replaceAll(/\s+/g, ' ');
}

describe.runIf(IS_KNOWN)('a client that connects', () => {
  it(
    'has one session with what it starts: what is read here is not sent there, nor the other way round',
    { tags: 'long' },
    async () => {
      await serve(DENYING);
      const [agent, other] = [new Agent(), new Agent()];
      expect(await agent.call('chat send_message')).toBe('sent');
      expect(await agent.call('local read_file')).toContain(TOKEN);
      expect(await agent.call('chat send_message')).toMatch(/denied.*"read_file".*"local"/);
      // A run of the same program that has read nothing.
      expect(await other.call('chat send_message')).toBe('sent');
      expect(await other.call('chat read_inbox')).toContain(TOKEN);
      expect(await other.call('local send_email')).toMatch(/denied.*"read_inbox".*"chat"/);
      expect(flows()).toMatchObject([
        { rule: 'read_then_send', server_id: 'chat', related_calls: [{ server_id: 'local' }] },
        { rule: 'read_then_send', server_id: 'local', related_calls: [{ server_id: 'chat' }] },
      ]);
      expect(sessionsOf(['read_file', 'send_message', 'read_inbox', 'send_email'])).toEqual([
        expect.stringMatching(/^s-[0-9a-f]{16}$/),
        expect.stringMatching(/^s-[0-9a-f]{16}$/),
      ]);
      expect(await report()).toContain('2 calls came by URL and are of the session of the program that made them');
    },
  );

  it('by value, and also what it read before its own server was there, under the name that only that one is told', async () => {
    const program = sandbox.current.path('claude.mjs');
    const text = `await import(${JSON.stringify(support('crossing-agent.mjs'))});`;
    writeFileSync(program, text);
    await serve(BY_VALUE);
    const agent = new Agent({ CLAUDE_CODE_SESSION_ID: '6f0c2d9b-e1a4-4378' }, { program, inbox: serving?.url('inbox') ?? '' });
    expect(await agent.call('inbox count_mail')).toBe('sent');
    expect(await agent.call('chat read_inbox')).toContain(TOKEN);
    expect(await agent.call(`local send_email ${TOKEN}`)).toMatch(/denied/);
    expect(await agent.call('local read_file')).toContain(TOKEN);
    expect(await agent.call('chat send_message hello')).toBe('sent');
    expect(await agent.call(`chat send_message ${KEY}`)).toMatch(/denied/);
    expect(sessionsOf(['send_email', 'send_message'])).toEqual(['claude-6f0c2d9b-e1a4-4378']);
  });

  it('has one session with its model, which another run is told of the same as before', async () => {
    await serve(`${DENYING}[[rule]]\naction = "deny"\nserver = "native"\ntool = "Bash"\n`);
    const asked = { model: serving?.llmUrl('anthropic') ?? '' };
    const [agent, other] = [new Agent({}, asked), new Agent({}, asked)];
    const { content } = JSON.parse(await agent.call(`model ${JSON.stringify([HELLO])}`)) as { readonly content: unknown };
    expect(JSON.stringify(content)).toContain('clawai denied');
    expect(await agent.call('chat send_message')).toBe('sent');
    expect(await agent.call('local send_email')).toBe('sent');
    const [session, ...others] = sessionsOf(['Bash', 'send_message', 'send_email']);
    expect([session, others]).toEqual([expect.stringMatching(/^s-[0-9a-f]{16}$/), []]);
    // It goes on with the conversation of the first, as the model knows it.
    await other.call(`model ${JSON.stringify([HELLO, { role: 'assistant', content }, HELLO])}`);
    expect(model.requests.at(-1)?.body).toMatch(/"tool_use".*"toolu_1".*"tool_result"/);
    expect(sessionsOf(['Bash'])).toEqual([session, expect.stringMatching(/^s-[0-9a-f]{16}$/)]);
  });

  it('in a run is of that, and nobody else is, whatever is said in a header', async () => {
    await serve(DENYING);
    const words = ['run', '--session', 'nightly', '--policy', sandbox.current.path('policy.toml'), '--quiet', '--'];
    const agent = new Agent({}, { words: sandbox.current.command(...words) });
    expect(await agent.call(`model ${JSON.stringify([HELLO])}`)).toContain('toolu_1');
    expect(await agent.call('local read_file')).toContain(TOKEN);
    expect(await agent.call('chat send_message')).toMatch(/denied/);
    expect(sessionsOf(['Bash', 'read_file', 'send_message'])).toEqual(['nightly']);
    // Who starts a run has said whose calls these are: nobody had to be found.
    expect(await report()).not.toContain('could not be found');
    const headers = { 'mcp-session-id': 'nightly', 'x-clawai-session': 'nightly' };
    expect(said(await post(serving?.url('chat') ?? '', callOf(1, {}, 'send_message'), headers))).toBe('sent');
  });
});

/** Cursor's config is wrapped: one server that it starts, and one that it reaches by URL. */
function wrapAll(): void {
  const stateDir = join(sandbox.current.state, 'clawai');
  const place = { file: sandbox.current.path('mcp.json'), pointer: '/mcpServers/chat' };
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  addWrapped(stateDir, [{ ...place, name: 'chat', url: `${remote.url}/chat`, secret: SECRET, group: 'client:cursor' }]);
  const wrap = new StateFolder(join(stateDir, 'wrap'));
  wrap.prepare();
  const entry = {
    pointer: '/mcpServers/local',
    server: 'local',
    client: 'cursor',
    location: 'user',
    scope: 'user',
    alias: place.file,
  };
  const entries = [{ ...entry, values: [], original: ['x'], wrapped: ['x'], time: '2026-01-01T00:00:00Z', version: '1' }];
  wrap.write({ format: 1, file: place.file, pristine: '0', isOnlyOurs: true, ours: [], entries });
}

describe('a client of which nobody can say more than whose URLs it uses', () => {
  it('has one session with the servers that the client starts, and the report says why', async () => {
    wrapAll();
    serving = await Serving.start(sandbox.current, { policy: DENYING, env: UNSAID });
    const agent = new Agent({}, { url: `${serving.origin}/mcp/chat/${SECRET}` });
    // Its own server is not there yet.
    expect(await agent.call('chat read_inbox')).toContain(TOKEN);
    expect(await agent.call('local read_file')).toContain(TOKEN);
    expect(await agent.call('chat send_message')).toMatch(/denied/);
    expect(await agent.call('local send_email')).toMatch(/denied.*"read_inbox".*"chat"/);
    expect(await report()).toContain('could not be found');
  });

  it.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
    'and no other user gets into it',
    { tags: 'long' },
    async () => {
      wrapAll();
      serving = await Serving.start(sandbox.current, { policy: DENYING });
      const url = `${serving.origin}/mcp/chat/${SECRET}`;
      const agent = new Agent({}, { url });
      expect(await agent.call('local read_file')).toContain(TOKEN);
      expect(await agent.call('chat send_message')).toMatch(/denied/);
      const body = JSON.stringify(callOf(1, {}, 'send_message'));
      const script = `await fetch(${JSON.stringify(url)}, ${JSON.stringify({ method: 'POST', headers: JSON_HEADERS, body })})`;
      // A copy, since nobody else may read where this one lies.
      const program = sandbox.current.path('node');
      copyFileSync(process.execPath, program);
      chmodSync(sandbox.current.folder, 0o755);
      await promisify(execFile)(program, ['--input-type=module', '-e', script], { uid: 65_534, gid: 65_534, cwd: '/', env: {} });
      expect(sandbox.current.decided().at(-1)).toMatchObject({
        tool_name: 'send_message',
        action: 'allow',
        session_id: expect.stringMatching(/^u-/),
      });
    },
  );
});

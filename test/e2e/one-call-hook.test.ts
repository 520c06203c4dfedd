/** @module-tag long */
import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AtTerminal, HAS_TERMINAL } from '../support/at-terminal.ts';
import { useSandbox } from '../support/attempt.ts';
import { Running } from '../support/running.ts';
import { support } from '../support/sandbox.ts';
import { query } from '../support/stored.ts';
import { waitingCall } from '../support/waiting-calls.ts';

const sandbox = useSandbox();

const POLICY = `
[defaults]
action = "allow"
[approval]
timeout = "30s"
channels = ["terminal"]
[[rule]]
id = "ask"
action = "prompt"
server = "files"
tool = "write"
`;

const ARGUMENTS = { path: 'a.txt' };
const ID = 'toolu_0123456789abcdefgh';

/** Starts the wrapped server, and lists its tools. */
async function startServer(env: Readonly<Record<string, string>>): Promise<Running> {
  const { current } = sandbox;
  const line = (id: number, result: object): string => `${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`;
  const hello = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'files', version: '1' } };
  const tools = [{ name: 'write', inputSchema: { type: 'object' } }];
  const answers = [line(1, hello), line(2, { tools })];
  const script = current.write('script.json', JSON.stringify({ answers }));
  const server = [process.execPath, support('recording-server.mjs'), current.path('record'), script];
  const running = new Running(current.command('proxy', '--server', 'files', '--', ...server), {
    env: { ...current.env, ...env },
    cwd: current.folder,
  });
  const clientInfo = { name: 'test', version: '1' };
  send(running, 1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  await running.lines(1);
  send(running, 2, 'tools/list', {});
  await running.lines(2);
  return running;
}

function send(running: Running, id: number, method: string, params: object): void {
  running.send(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
}

function askHook(client: string, payload: object, env: Readonly<Record<string, string>>): Running {
  const { current } = sandbox;
  const running = new Running(current.command('hook', client), { env: { ...current.env, ...env }, cwd: current.folder });
  running.stdin.end(JSON.stringify({ ...payload, tool_input: ARGUMENTS, cwd: current.folder }));
  return running;
}

async function approve(): Promise<void> {
  const { id } = await waitingCall(sandbox.current);
  await new AtTerminal(sandbox.current, ['approve', id]).ended;
}

const CLAUDE = { hook_event_name: 'PreToolUse', tool_name: 'mcp__files__write', tool_use_id: ID };
const GEMINI = { hook_event_name: 'BeforeTool', tool_name: 'mcp_files_write' };

describe.runIf(HAS_TERMINAL)('a call that is approved at its hook', () => {
  it.each<[string, string, object, object, Readonly<Record<string, string>>]>([
    ['by its id', 'claude-code', CLAUDE, { 'claudecode/toolUseId': ID }, {}],
    ['by session, tool and arguments', 'gemini-cli', GEMINI, {}, {}],
    ['the same in a named session', 'gemini-cli', GEMINI, {}, { CLAWAI_SESSION: 'nightly' }],
  ])('is asked about once, and known at its server: %s', async (_how, client, payload, meta, env) => {
    const { current } = sandbox;
    mkdirSync(current.path('config/clawai'), { recursive: true });
    writeFileSync(current.path('config/clawai/policy.toml'), POLICY);
    const server = await startServer(env);
    const hook = askHook(client, payload, env);
    await approve();
    expect(await hook.ended).toMatchObject({ code: 0, stdout: '', stderr: '' });
    send(server, 3, 'tools/call', { name: 'write', arguments: ARGUMENTS, _meta: meta });
    await server.lines(3);
    await server.close();
    const [first, second, ...others] = current.decided();
    const common = { server_id: 'files', tool_name: 'write', action: 'allow', rule: 'ask', approval: 'granted' };
    expect(first).toMatchObject({ ...common, dialect: `hook/${client}` });
    expect(second).toMatchObject({ ...common, sighting_of: first?.['id'], session_id: first?.['session_id'] });
    expect(others).toEqual([]);
    expect(query(current.storeFile, 'SELECT count(*) AS n FROM approvals')).toEqual([{ n: 1 }]);
    expect(query(current.storeFile, 'SELECT count(*) AS n FROM sightings')).toEqual([{ n: 0 }]);
  });
});

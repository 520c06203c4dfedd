// Holds `clawai run` against the real Claude Code: what the policy denies of what its model calls must not be executed, and what it allows must
// be, once; and a conversation goes on after a denied call as if the model had been told so by the agent. The model is a mock on this machine. Not part of the tests, since it downloads Claude Code from npm (some 200 MB) into a temporary
// folder:
//
//   node test/e2e/real-claude-llm.mjs [VERSION]
//
// No login is needed. Where `unshare` works (root on Linux), Claude Code runs without a network. Exit code: 0 as it should be, 1 not, 2 not tried.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..', '..');
const BIN = join(ROOT, 'bin', 'clawai.mjs');
const PATIENCE = 120_000;

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'clawai-claude-llm-')));
const home = join(folder, 'home');
const project = join(folder, 'project');
mkdirSync(home);
mkdirSync(project);
const env = {
  PATH: process.env.PATH,
  HOME: home,
  ANTHROPIC_API_KEY: 'sk-ant-api03-key-of-the-user',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  // Else tools of MCP servers are not there before the model looks for them.
  ENABLE_TOOL_SEARCH: 'false',
};
const say = (text) => process.stdout.write(`${text}\n`);

function run([command, ...args], options = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: project,
    env,
    encoding: 'utf8',
    timeout: PATIENCE,
    input: '',
    ...options,
  });
  return { status, stdout: stdout ?? '', stderr: stderr ?? '', text: `${stdout}${stderr}`.trim() };
}

/**
 * The model: says what PLAN says, one answer after the other to what has the tools that it calls, and then that all is said. What is asked of it
 * that has no such tools (a title, a topic) is answered by a word. It runs within the same network as the agent, and writes down what it
 * was asked.
 */
const MOCK = `
import { createServer } from 'node:http';
import { appendFileSync } from 'node:fs';
const [, , plan, log] = process.argv;
const turns = JSON.parse(plan);
const usage = { input_tokens: 1, output_tokens: 1 };
const write = (events) => events.map((event) => 'event: ' + event.type + '\\ndata: ' + JSON.stringify(event) + '\\n\\n').join('');
function answer(blocks, reason) {
  return write([
    { type: 'message_start', message: { id: 'msg_' + Date.now(), type: 'message', role: 'assistant', model: 'claude-x', content: [], stop_reason: null, stop_sequence: null, usage } },
    ...blocks.flatMap(({ start, delta, deltas = [delta] }, index) => [
      { type: 'content_block_start', index, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ]);
}
const text = (words) => ({ start: { type: 'text', text: '' }, delta: { type: 'text_delta', text: words } });
const think = { start: { type: 'thinking', thinking: '', signature: '' }, deltas: [{ type: 'thinking_delta', thinking: 'Hm.' }, { type: 'signature_delta', signature: 'c2lnbmF0dXJl' }] };
const call = ({ id, name, input }) => ({ start: { type: 'tool_use', id, name, input: {} }, delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) } });
let turn = 0;
createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts).toString();
    appendFileSync(log, JSON.stringify({ method: request.method, url: request.url, body }) + '\\n');
    if (!/\\/v1\\/messages(\\?|$)/.test(request.url)) return response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":1}');
    const asked = JSON.parse(body);
    const offered = (asked.tools ?? []).map(({ name }) => name);
    const calls = turns[turn] ?? [];
    const canCall = calls.length > 0 && calls.every(({ name }) => offered.includes(name));
    if (canCall) turn++;
    const events = canCall ? answer([think, text('So.'), ...calls.map(call)], 'tool_use') : answer([text('All is said.')], 'end_turn');
    if (asked.stream) return response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events);
    const whole = { id: 'msg_0', type: 'message', role: 'assistant', model: 'claude-x', content: [{ type: 'text', text: 'x' }], stop_reason: 'end_turn', stop_sequence: null, usage };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole));
  });
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
`;

/** In a network of its own, where there is nothing but this machine: the mock, and then the agent. */
const SCENE = `
[ "$ALONE" = 1 ] && { ip link set lo up || ifconfig lo up; }
"$NODE" "$FOLDER/mock.mjs" "$PLAN" "$LOG" > "$FOLDER/port" &
mock=$!
for i in $(seq 100); do [ -s "$FOLDER/port" ] && break; sleep 0.05; done
export ANTHROPIC_BASE_URL="http://127.0.0.1:$(cat "$FOLDER/port")"
"$@"
code=$?
kill $mock
exit $code
`;

/** An MCP server with two tools that writes down what is called. */
const SERVER = `
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const tool = (name) => ({ name, description: 'Keeps notes.', inputSchema: { type: 'object', properties: { note: { type: 'string' } } } });
const results = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'notes', version: '1' } }),
  'tools/list': () => ({ tools: [tool('add'), tool('drop')] }),
  'tools/call': ({ name }) => (appendFileSync(process.argv[2], name + '\\n'), { content: [{ type: 'text', text: 'noted' }] }),
  ping: () => ({}),
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined) return;
  const result = results[method]?.(params ?? {});
  const answer = result === undefined ? { error: { code: -32601, message: 'no such method' } } : { result };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
});
`;

const markerOf = (name) => join(folder, `marker-${name}`);
const bashOnce = (marker) => [
  [{ id: 'toolu_mark', name: 'Bash', input: { command: `echo once >> ${marker}`, description: 'Leave a mark' } }],
];
const noting = (id, name) => ({ id, name: `mcp__notes__${name}`, input: { note: 'milk' } });

/** @param plan the calls of each answer */
function scene(name, words, { isAlone, plan }) {
  const [marker, log] = [markerOf(name), join(folder, `log-${name}`)];
  rmSync(join(folder, 'port'), { force: true });
  const more = { NODE: process.execPath, FOLDER: folder, PLAN: JSON.stringify(plan), LOG: log, ALONE: isAlone ? '1' : '0' };
  const ended = run([...(isAlone ? ['unshare', '-n'] : []), 'sh', '-c', SCENE, 'sh', ...words], { env: { ...env, ...more } });
  const requests = existsSync(log)
    ? readFileSync(log, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];
  return { ...ended, executed: existsSync(marker) ? readFileSync(marker, 'utf8') : '', requests };
}

/**
 * Two prompts to one conversation: an allowed and a denied call of an MCP server's tools, then a denied one alone. What each came to, by what it
 * is told as.
 */
function conversation({ claude, clawai, isAlone }) {
  const called = join(folder, 'called');
  const policy = '[defaults]\naction = "allow"\n[[rule]]\nid = "keep"\naction = "deny"\nserver = "notes"\ntool = "drop"\n';
  writeFileSync(join(folder, 'notes.toml'), policy);
  writeFileSync(join(folder, 'notes.mjs'), SERVER);
  const args = [BIN, 'proxy', '--server', 'notes', '--policy', join(folder, 'notes.toml'), '--', process.execPath];
  const notes = { command: process.execPath, args: [...args, join(folder, 'notes.mjs'), called] };
  writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: { notes } }));
  const flags = `--mcp-config ${folder}/mcp.json --strict-mcp-config --allowedTools mcp__notes__add,mcp__notes__drop`;
  const words = ['sh', '-c', `"${claude}" -p "Note it." ${flags} && "${claude}" -p --continue "And now?" ${flags}`];
  const plan = [[noting('toolu_add', 'add'), noting('toolu_drop', 'drop')], [noting('toolu_drop2', 'drop')]];
  const ended = scene('talk', clawai('notes', words), { isAlone, plan });
  say(`a conversation (code ${ended.status}): ${ended.text}`);
  const asked = ended.requests
    .filter(({ url }) => /\/v1\/messages(\?|$)/.test(url))
    .map(({ body }) => JSON.parse(body))
    .filter(({ tools = [] }) => tools.some(({ name }) => name === 'mcp__notes__add'))
    .map(({ messages }) =>
      messages.flatMap(({ content }) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content)),
    );
  const has = (blocks = [], id) => {
    const calls = blocks.filter((block) => block.type === 'tool_use' && block.id === id);
    const results = blocks.filter((block) => block.type === 'tool_result' && block.tool_use_id === id);
    return (
      calls.length === 1 &&
      results.length === 1 &&
      results[0].is_error === true &&
      JSON.stringify(results).includes('clawai denied')
    );
  };
  const marks = ended.requests.filter(({ body }) => body.includes('[clawai blk_')).length;
  return {
    'an MCP call that is allowed reaches its server once, and one that is denied never':
      existsSync(called) && readFileSync(called, 'utf8') === 'add\n',
    'the next request says that the denied call was denied': has(asked[1], 'toolu_drop'),
    'and so does each after it, also of a prompt to come':
      asked.length === 3 && has(asked[2], 'toolu_drop') && has(asked[2], 'toolu_drop2'),
    'what the model thought beside it comes back as it was':
      asked[1]?.some(({ signature }) => signature === 'c2lnbmF0dXJl') === true,
    'no note is left in what the model gets': marks === 0,
  };
}

function main() {
  say(`installing Claude Code in ${folder} …`);
  const name = `@anthropic-ai/claude-code@${process.argv[2] ?? 'latest'}`;
  const installed = run(['npm', 'install', '--no-audit', '--no-fund', '--prefix', folder, name], {
    env: process.env,
    cwd: folder,
    timeout: 600_000,
  });
  const claude = join(folder, 'node_modules', '.bin', 'claude');
  const version = run([claude, '--version']);
  if (installed.status !== 0 || version.status !== 0) {
    say(`not tried: ${installed.text.slice(-500)}\n${version.text.slice(-500)}`);
    return 2;
  }
  const isAlone = run(['unshare', '-n', 'sh', '-c', 'ip link set lo up || ifconfig lo up']).status === 0;
  say(`Claude Code ${version.text}${isAlone ? ', without a network' : ''}`);
  writeFileSync(join(folder, 'mock.mjs'), MOCK);
  const policies = { denied: 'deny', allowed: 'allow' };
  for (const [policy, action] of Object.entries(policies)) {
    const rule = `[[rule]]\nid = "marks"\naction = "${action}"\nserver = "native"\ntool = "Bash"\nargs.command = "**marker**"\n`;
    writeFileSync(join(folder, `${policy}.toml`), `[defaults]\naction = "allow"\n${rule}`);
  }
  const agent = [claude, '-p', 'Leave a mark.', '--allowedTools', 'Bash'];
  const clawai = (policy, words) => [process.execPath, BIN, 'run', '--policy', join(folder, `${policy}.toml`), '--', ...words];

  const direct = scene('direct', agent, { isAlone, plan: bashOnce(markerOf('direct')) });
  say(`without clawai (code ${direct.status}): ${direct.text}`);
  if (direct.executed !== 'once\n') {
    say('not tried: Claude Code does not execute what the mock calls');
    return 2;
  }
  const denied = scene('denied', clawai('denied', agent), { isAlone, plan: bashOnce(markerOf('denied')) });
  say(`denied (code ${denied.status}): ${denied.text}`);
  const allowed = scene('allowed', clawai('allowed', agent), { isAlone, plan: bashOnce(markerOf('allowed')) });
  say(`allowed (code ${allowed.status}): ${allowed.text}`);

  const recorded = run([process.execPath, BIN, 'mcp', 'calls', '--json']).stdout.trimEnd().split('\n');
  const calls = recorded.map((line) => JSON.parse(line)).map(({ type, tool_name: tool, action }) => `${type} ${tool} ${action}`);
  say(`on record:\n  ${calls.join('\n  ')}`);
  const talk = conversation({ claude, clawai, isAlone });
  const checks = {
    'what is denied is not executed': denied.executed === '',
    'it ends all the same, with the exit code of success': denied.status === 0,
    'the person reads why': denied.stdout.includes('[clawai ') || denied.stdout.includes('All is said.'),
    'the summary says so': denied.stderr.includes('1 call by the model, 1 denied'),
    'what is allowed is executed once': allowed.executed === 'once\n',
    'and it ends as without clawai': allowed.status === direct.status && allowed.stdout === direct.stdout,
    'both are on record': calls.join() === 'mcp_tool_call_intercepted Bash block,mcp_tool_call_intercepted Bash allow',
    'the model is asked as often as without clawai': allowed.requests.length === direct.requests.length,
    ...talk,
  };
  for (const [what, holds] of Object.entries(checks)) say(`${holds ? 'ok  ' : 'FAIL'}  ${what}`);
  return Object.values(checks).every(Boolean) ? 0 : 1;
}

try {
  process.exitCode = main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

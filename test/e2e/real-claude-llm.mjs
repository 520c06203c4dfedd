// Holds `clawai run` against the real Claude Code: what the policy denies of what its model calls must not be executed, and what it allows must
// be, once. The model is a mock on this machine. Not part of the tests, since it downloads Claude Code from npm (some 200 MB) into a temporary
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
 * The model: calls Bash once, and ends when it gets to see what came of that. What is asked of it that has no tools (a title, a topic) is
 * answered by a word. It runs within the same network as the agent, and writes down what it was asked.
 */
const MOCK = `
import { createServer } from 'node:http';
import { appendFileSync } from 'node:fs';
const [, , marker, log] = process.argv;
const usage = { input_tokens: 1, output_tokens: 1 };
const write = (events) => events.map((event) => 'event: ' + event.type + '\\ndata: ' + JSON.stringify(event) + '\\n\\n').join('');
function answer(blocks, reason) {
  return write([
    { type: 'message_start', message: { id: 'msg_' + Date.now(), type: 'message', role: 'assistant', model: 'claude-x', content: [], stop_reason: null, stop_sequence: null, usage } },
    ...blocks.flatMap(({ start, delta }, index) => [
      { type: 'content_block_start', index, content_block: start },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ]);
}
const text = (words) => ({ start: { type: 'text', text: '' }, delta: { type: 'text_delta', text: words } });
const input = JSON.stringify({ command: 'echo once >> ' + marker, description: 'Leave a mark' });
const call = { start: { type: 'tool_use', id: 'toolu_mark', name: 'Bash', input: {} }, delta: { type: 'input_json_delta', partial_json: input } };
let hasCalled = false;
createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts).toString();
    appendFileSync(log, JSON.stringify({ method: request.method, url: request.url, body }) + '\\n');
    if (!/\\/v1\\/messages(\\?|$)/.test(request.url)) return response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":1}');
    const asked = JSON.parse(body);
    const canCall = !hasCalled && (asked.tools ?? []).some(({ name }) => name === 'Bash');
    hasCalled ||= canCall;
    const events = canCall ? answer([text('I leave a mark.'), call], 'tool_use') : answer([text('All is said.')], 'end_turn');
    if (asked.stream) return response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events);
    const whole = { id: 'msg_0', type: 'message', role: 'assistant', model: 'claude-x', content: [{ type: 'text', text: 'x' }], stop_reason: 'end_turn', stop_sequence: null, usage };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole));
  });
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
`;

/** In a network of its own, where there is nothing but this machine: the mock, and then the agent. */
const SCENE = `
[ "$ALONE" = 1 ] && { ip link set lo up || ifconfig lo up; }
"$NODE" "$FOLDER/mock.mjs" "$MARKER" "$LOG" > "$FOLDER/port" &
mock=$!
for i in $(seq 100); do [ -s "$FOLDER/port" ] && break; sleep 0.05; done
export ANTHROPIC_BASE_URL="http://127.0.0.1:$(cat "$FOLDER/port")"
"$@"
code=$?
kill $mock
exit $code
`;

function scene(name, words, isAlone) {
  const [marker, log] = [join(folder, `marker-${name}`), join(folder, `log-${name}`)];
  rmSync(join(folder, 'port'), { force: true });
  const more = { NODE: process.execPath, FOLDER: folder, MARKER: marker, LOG: log, ALONE: isAlone ? '1' : '0' };
  const ended = run([...(isAlone ? ['unshare', '-n'] : []), 'sh', '-c', SCENE, 'sh', ...words], { env: { ...env, ...more } });
  const requests = existsSync(log)
    ? readFileSync(log, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];
  return { ...ended, executed: existsSync(marker) ? readFileSync(marker, 'utf8') : '', requests };
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
  const clawai = (policy) => [process.execPath, BIN, 'run', '--policy', join(folder, `${policy}.toml`), '--', ...agent];

  const direct = scene('direct', agent, isAlone);
  say(`without clawai (code ${direct.status}): ${direct.text}`);
  if (direct.executed !== 'once\n') {
    say('not tried: Claude Code does not execute what the mock calls');
    return 2;
  }
  const denied = scene('denied', clawai('denied'), isAlone);
  say(`denied (code ${denied.status}): ${denied.text}`);
  const allowed = scene('allowed', clawai('allowed'), isAlone);
  say(`allowed (code ${allowed.status}): ${allowed.text}`);

  const recorded = run([process.execPath, BIN, 'mcp', 'calls', '--json']).stdout.trimEnd().split('\n');
  const calls = recorded.map((line) => JSON.parse(line)).map(({ type, tool_name: tool, action }) => `${type} ${tool} ${action}`);
  say(`on record:\n  ${calls.join('\n  ')}`);
  const checks = {
    'what is denied is not executed': denied.executed === '',
    'it ends all the same, with the exit code of success': denied.status === 0,
    'the person reads why': denied.stdout.includes('[clawai]') || denied.stdout.includes('All is said.'),
    'the summary says so': denied.stderr.includes('1 call by the model, 1 denied'),
    'what is allowed is executed once': allowed.executed === 'once\n',
    'and it ends as without clawai': allowed.status === direct.status && allowed.stdout === direct.stdout,
    'both are on record': calls.join() === 'mcp_tool_call_intercepted Bash block,mcp_tool_call_intercepted Bash allow',
    'the model is asked as often as without clawai': allowed.requests.length === direct.requests.length,
  };
  for (const [what, holds] of Object.entries(checks)) say(`${holds ? 'ok  ' : 'FAIL'}  ${what}`);
  return Object.values(checks).every(Boolean) ? 0 : 1;
}

try {
  process.exitCode = main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

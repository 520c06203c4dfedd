// Holds `clawai run` against the real Gemini CLI: what the policy denies of what its model calls must not be executed, and what it allows must
// be, once. The model is a mock on this machine. Not part of the tests, since it downloads Gemini CLI from npm into a temporary folder:
//
//   node test/e2e/real-gemini.mjs [VERSION]
//
// No login is needed. Where `unshare` works (root on Linux), Gemini CLI runs without a network. Exit code: 0 as it should be, 1 not, 2 not tried.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BIN, createRoom, say } from '../support/real-agent.mjs';

const { folder, home, project, env, run } = createRoom('gemini', {
  GEMINI_API_KEY: 'AIza-key-of-the-user',
  GEMINI_CLI_TRUST_WORKSPACE: 'true',
  GEMINI_TELEMETRY_ENABLED: 'false',
});
mkdirSync(join(home, '.gemini'));
// Where a base URL is in its environment, Gemini CLI 0.61 takes no request without a terminal unless its settings say how to log in.
writeFileSync(join(home, '.gemini', 'settings.json'), '{"security":{"auth":{"selectedType":"gemini-api-key"}}}');

/**
 * The model: calls a command once, beside a call that says what it is about, and ends when it gets to see what came of that. It runs within
 * the same network as the agent, and writes down what it was asked.
 */
const MOCK = `
import { createServer } from 'node:http';
import { appendFileSync } from 'node:fs';
const [, , marker, log] = process.argv;
const rest = { usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 }, modelVersion: 'gemini-x', responseId: 'r-1' };
const event = (parts, more) => 'data: ' + JSON.stringify({ candidates: [{ content: { role: 'model', parts }, index: 0, ...more }], ...rest }) + '\\r\\n\\r\\n';
const end = event([{ text: '' }], { finishReason: 'STOP' });
const args = { command: 'echo once >> ' + marker, description: 'Leave a mark' };
const call = { functionCall: { id: 'call_mark', name: 'run_shell_command', args }, thoughtSignature: 'c2lnbmF0dXJl' };
let hasCalled = false;
createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts).toString();
    appendFileSync(log, JSON.stringify({ method: request.method, url: request.url, body }) + '\\n');
    if (!request.url.includes(':streamGenerateContent')) {
      const said = { candidates: [{ content: { role: 'model', parts: [{ text: '{"complexity_reasoning":"x","complexity_score":1}' }] }, finishReason: 'STOP', index: 0 }], ...rest, totalTokens: 1 };
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said));
    }
    const canCall = !hasCalled && body.includes('run_shell_command');
    hasCalled ||= canCall;
    const events = canCall ? event([{ text: 'I leave a mark.' }]) + event([call]) + end : event([{ text: 'All is said.' }]) + end;
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events);
  });
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
`;

/** In a network of its own, where there is nothing but this machine: the mock, and then the agent. */
const SCENE = `
[ "$ALONE" = 1 ] && { ip link set lo up || ifconfig lo up; }
"$NODE" "$FOLDER/mock.mjs" "$MARKER" "$LOG" > "$FOLDER/port" &
mock=$!
for i in $(seq 100); do [ -s "$FOLDER/port" ] && break; sleep 0.05; done
export GOOGLE_GEMINI_BASE_URL="http://127.0.0.1:$(cat "$FOLDER/port")"
"$@"
code=$?
kill $mock
exit $code
`;

function scene(name, words, isAlone) {
  const [marker, log] = [join(project, `marker-${name}`), join(folder, `log-${name}`)];
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
  say(`installing Gemini CLI in ${folder} …`);
  const name = `@google/gemini-cli@${process.argv[2] ?? 'latest'}`;
  const installed = run(['npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder, name], {
    env: process.env,
    cwd: folder,
    timeout: 600_000,
  });
  const gemini = [process.execPath, join(folder, 'node_modules', '@google', 'gemini-cli', 'bundle', 'gemini.js')];
  const version = run([...gemini, '--version']);
  if (installed.status !== 0 || version.status !== 0) {
    say(`not tried: ${installed.text.slice(-500)}\n${version.text.slice(-500)}`);
    return 2;
  }
  const isAlone = run(['unshare', '-n', 'sh', '-c', 'ip link set lo up || ifconfig lo up']).status === 0;
  say(`Gemini CLI ${version.stdout.trim()}${isAlone ? ', without a network' : ''}`);
  writeFileSync(join(folder, 'mock.mjs'), MOCK);
  const policies = { denied: 'deny', allowed: 'allow' };
  for (const [policy, action] of Object.entries(policies)) {
    const rule = `[[rule]]\nid = "marks"\naction = "${action}"\nserver = "native"\ntool = "run_shell_command"\nargs.command = "**marker**"\n`;
    writeFileSync(join(folder, `${policy}.toml`), `[defaults]\naction = "allow"\n${rule}`);
  }
  const agent = [...gemini, '--approval-mode', 'yolo', '-p', 'Leave a mark.'];
  const clawai = (policy) => [process.execPath, BIN, 'run', '--policy', join(folder, `${policy}.toml`), '--', ...agent];

  const direct = scene('direct', agent, isAlone);
  say(`without clawai (code ${direct.status}): ${direct.text}`);
  if (direct.executed !== 'once\n') {
    say('not tried: Gemini CLI does not execute what the mock calls');
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
    'the person reads why': denied.stdout.includes('[clawai blk_'),
    'the summary says so': denied.stderr.includes('1 call by the model, 1 denied'),
    'what is allowed is executed once': allowed.executed === 'once\n',
    'and it ends as without clawai': allowed.status === direct.status && allowed.stdout === direct.stdout,
    'both are on record':
      calls.join() === 'mcp_tool_call_intercepted run_shell_command block,mcp_tool_call_intercepted run_shell_command allow',
    'the model is asked as often as without clawai': allowed.requests.length === direct.requests.length,
    'the key is nowhere in what is on record': !recorded.join().includes('AIza'),
  };
  for (const [what, holds] of Object.entries(checks)) say(`${holds ? 'ok  ' : 'FAIL'}  ${what}`);
  return Object.values(checks).every(Boolean) ? 0 : 1;
}

try {
  process.exitCode = main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

// Holds `clawai run` against the real opencode, which takes ANTHROPIC_BASE_URL for a URL that has the API's version: what the policy denies of what
// its model calls must not be executed, and what it allows must be. The model is a mock on this machine, which has no path but the API's own. Not part
// of the tests, since it downloads opencode from npm (180 MB) into a temporary folder:
//
//   node test/e2e/real-opencode.mjs [VERSION | a folder where npm has installed it]
//
// Where `unshare` works (root on Linux), opencode runs without a network. Exit code: 0 as it should be, 1 not, 2 not tried.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BIN, createRoom, say } from '../support/real-agent.mjs';

const { folder, project, env, run } = createRoom('opencode', {
  ANTHROPIC_API_KEY: 'sk-ant-key-of-the-user',
  OPENCODE_DISABLE_AUTOUPDATE: 'true',
});

/** The model: calls a command once, and ends when it gets to see what came of that. It writes down what it was asked. */
const MOCK = `
import { createServer } from 'node:http';
import { appendFileSync } from 'node:fs';
const [, , marker, log] = process.argv;
const usage = { input_tokens: 1, output_tokens: 1 };
const args = JSON.stringify({ command: 'echo once >> ' + marker, description: 'Leave a mark' });
const call = [{ type: 'tool_use', id: 'toolu_mark', name: 'bash', input: {} }, { type: 'input_json_delta', partial_json: args }];
const text = [{ type: 'text', text: '' }, { type: 'text_delta', text: 'All is said.' }];
let hasCalled = false;
createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts).toString();
    appendFileSync(log, request.method + ' ' + request.url + '\\n');
    if (request.url.split('?')[0] !== '/v1/messages') return response.writeHead(404).end('{"type":"error","error":{"type":"not_found_error","message":"Not Found"}}');
    const isCall = !hasCalled && body.includes('"bash"');
    hasCalled ||= isCall;
    const [block, delta] = isCall ? call : text;
    const events = [
      { type: 'message_start', message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, stop_sequence: null, usage } },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: isCall ? 'tool_use' : 'end_turn', stop_sequence: null }, usage },
      { type: 'message_stop' },
    ];
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.map((event) => 'event: ' + event.type + '\\ndata: ' + JSON.stringify(event) + '\\n\\n').join(''));
  });
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
`;

/** In a network of its own, where there is nothing but this machine: the mock, and then the agent. BEHIND: what the base URL ends with. */
const SCENE = `
[ "$ALONE" = 1 ] && { ip link set lo up || ifconfig lo up; }
"$NODE" "$FOLDER/mock.mjs" "$MARKER" "$LOG" > "$FOLDER/port" &
mock=$!
for i in $(seq 100); do [ -s "$FOLDER/port" ] && break; sleep 0.05; done
export ANTHROPIC_BASE_URL="http://127.0.0.1:$(cat "$FOLDER/port")$BEHIND"
"$@"
code=$?
kill $mock
exit $code
`;

function scene(name, words, { isAlone, behind }) {
  const [marker, log] = [join(project, `marker-${name}`), join(folder, `log-${name}`)];
  rmSync(join(folder, 'port'), { force: true });
  const more = { NODE: process.execPath, FOLDER: folder, MARKER: marker, LOG: log, ALONE: isAlone ? '1' : '0', BEHIND: behind };
  const ended = run([...(isAlone ? ['unshare', '-n'] : []), 'sh', '-c', SCENE, 'sh', ...words], { env: { ...env, ...more } });
  const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  return { ...ended, executed: read(marker), asked: read(log) };
}

function main() {
  const [wanted = 'latest'] = process.argv.slice(2);
  const at = existsSync(wanted) ? resolve(wanted) : folder;
  if (at === folder) say(`installing opencode in ${folder} …`);
  const install = ['npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder, `opencode-ai@${wanted}`];
  const installed = at === folder ? run(install, { env: process.env, cwd: folder, timeout: 600_000 }) : { status: 0, text: '' };
  const opencode = join(at, 'node_modules', `opencode-${process.platform}-${process.arch}`, 'bin', 'opencode');
  const version = run([opencode, '--version']);
  if (installed.status !== 0 || version.status !== 0) {
    say(`not tried: ${installed.text.slice(-500)}\n${version.text.slice(-500)}`);
    return 2;
  }
  const isAlone = run(['unshare', '-n', 'sh', '-c', 'ip link set lo up || ifconfig lo up']).status === 0;
  say(`opencode ${version.stdout.trim()}${isAlone ? ', without a network' : ''}`);
  writeFileSync(join(folder, 'mock.mjs'), MOCK);
  for (const action of ['deny', 'allow']) {
    const rule = `[[rule]]\nid = "marks"\naction = "${action}"\nserver = "native"\ntool = "bash"\nargs.command = "**marker**"\n`;
    writeFileSync(join(folder, `${action}.toml`), `[defaults]\naction = "allow"\n${rule}`);
  }
  const agent = [opencode, 'run', '-m', 'anthropic/claude-sonnet-4-5', 'Leave a mark.'];
  const clawai = (action) => [process.execPath, BIN, 'run', '--policy', join(folder, `${action}.toml`), '--', ...agent];

  const direct = scene('direct', agent, { isAlone, behind: '/v1' });
  say(`without clawai (code ${direct.status}): ${direct.text}\n${direct.asked}`);
  if (direct.executed !== 'once\n') {
    say('not tried: opencode does not execute what the mock calls');
    return 2;
  }
  const checks = {};
  for (const behind of ['', '/v1']) {
    const denied = scene(`denied${behind.slice(1)}`, clawai('deny'), { isAlone, behind });
    say(`denied, base URL with ${JSON.stringify(behind)} (code ${denied.status}): ${denied.text}\n${denied.asked}`);
    const allowed = scene(`allowed${behind.slice(1)}`, clawai('allow'), { isAlone, behind });
    say(`allowed (code ${allowed.status}): ${allowed.text}\n${allowed.asked}`);
    const paths = new Set(`${denied.asked}${allowed.asked}`.trimEnd().split('\n'));
    checks[`${behind}: what is denied is not executed`] = denied.executed === '';
    checks[`${behind}: the person reads why`] = denied.text.includes('[clawai blk_');
    checks[`${behind}: what is allowed is executed once`] = allowed.executed === 'once\n';
    checks[`${behind}: the API is asked by its own path`] = [...paths].join() === 'POST /v1/messages';
    checks[`${behind}: it is said how many requests were checked`] = /checked \d+ requests? to the model/.test(allowed.stderr);
  }
  for (const [what, holds] of Object.entries(checks)) say(`${holds ? 'ok  ' : 'FAIL'}  ${what}`);
  return Object.values(checks).every(Boolean) ? 0 : 1;
}

try {
  process.exitCode = main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

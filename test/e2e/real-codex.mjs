// Holds `clawai run` against the real Codex: what the policy denies of what its model calls must not be executed, whether it is called, typed
// into a shell or called by a program, and what it allows must be, once. All that Codex asks its model must come by, with a key and with
// ChatGPT's login, by a WebSocket or by POST where the model has none. The model is a mock on this machine. Not part of the tests, since it downloads Codex from npm (some 400 MB) into a
// temporary folder:
//
//   node test/e2e/real-codex.mjs [VERSION]
//
// No login is needed. Where `unshare` works (root on Linux), Codex runs without a network. Exit code: 0 as it should be, 1 not, 2 not tried.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { BIN, createRoom, say } from '../support/real-agent.mjs';

const { folder, home, project, env, run } = createRoom('codex');
mkdirSync(join(home, '.codex'));

/**
 * The model: each answer has the calls of the next step, and it ends when there is none. It writes down what it was asked. With a mode of
 * `socket` it takes WebSockets; a request there that only warms up is no step.
 */
const MOCK = `
import { createServer } from 'node:http';
import { appendFileSync, readFileSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import { WebSocketServer } from 'WS';
const [, , file, log, mode] = process.argv;
const steps = JSON.parse(readFileSync(file, 'utf8'));
let step = 0;
let answers = 0;
const note = (method, { url, headers: { authorization = '' } }, body) =>
  appendFileSync(log, JSON.stringify({ method, url, authorization, body }) + '\\n');
const answer = (send, isWarmUp) => {
  const said = { type: 'message', role: 'assistant', id: 'msg_' + step, status: 'completed', content: [{ type: 'output_text', text: 'All is said.', annotations: [] }] };
  const calls = isWarmUp ? [] : (steps[step] ?? [said]);
  if (!isWarmUp) step++;
  let sequence = 0;
  const tell = (type, event) => send({ type, sequence_number: sequence++, ...event });
  const answer = { id: 'resp_' + answers++, object: 'response', status: 'in_progress', model: 'm', output: [] };
  tell('response.created', { response: answer });
  calls.forEach((item, index) => {
    tell('response.output_item.added', { output_index: index, item: { ...item, status: 'in_progress' } });
    tell('response.output_item.done', { output_index: index, item });
  });
  const usage = { input_tokens: 1, input_tokens_details: { cached_tokens: 0 }, output_tokens: 1, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 2 };
  tell('response.completed', { response: { ...answer, status: 'completed', output: calls, usage } });
};
const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const bytes = Buffer.concat(parts);
    note(request.method, request, (request.headers['content-encoding'] === 'zstd' ? zstdDecompressSync(bytes) : bytes).toString());
    if (request.method !== 'POST') return response.writeHead(200, { 'content-type': 'application/json' }).end('{"models":[]}');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    answer((event) => response.write('event: ' + event.type + '\\ndata: ' + JSON.stringify(event) + '\\n\\n'), false);
    response.end();
  });
});
const sockets = new WebSocketServer({ noServer: true });
server.on('upgrade', (request, socket, head) => {
  if (mode !== 'socket') return socket.end('HTTP/1.1 426 Upgrade Required\\r\\ncontent-length: 0\\r\\n\\r\\n');
  sockets.handleUpgrade(request, socket, head, (opened) =>
    opened.on('message', (data) => {
      note('FRAME', request, data.toString());
      answer((event) => opened.send(JSON.stringify(event)), JSON.parse(data).generate === false);
    }),
  );
});
server.listen(0, '127.0.0.1', function () { console.log(this.address().port); });
`.replace("'WS'", () => JSON.stringify(import.meta.resolve('ws')));

/** In a network of its own, where there is nothing but this machine: the mock, and then the agent. */
const SCENE = `
[ "$ALONE" = 1 ] && { ip link set lo up || ifconfig lo up; }
"$NODE" "$FOLDER/mock.mjs" "$STEPS" "$LOG" "$MODE" > "$FOLDER/port" &
mock=$!
for i in $(seq 100); do [ -s "$FOLDER/port" ] && break; sleep 0.05; done
"$@" -c "openai_base_url=\\"http://127.0.0.1:$(cat "$FOLDER/port")/v1\\""
code=$?
kill $mock
exit $code
`;

const marker = join(project, 'marker');
const mark = `echo once >> ${marker}`;
const item = (type, more) => [{ type, id: `${type}_1`, call_id: 'call_1', status: 'completed', ...more }];
const call = (cmd) => item('function_call', { name: 'exec_command', namespace: 'functions', arguments: JSON.stringify({ cmd }) });
const program = (input) => item('custom_tool_call', { name: 'exec', namespace: 'functions', input });
const typed = (line) =>
  program(
    `const r = await tools.exec_command({cmd: "bash", tty: true, yield_time_ms: 400});\n` +
      `for (const part of ${JSON.stringify([line.slice(0, 4), `${line.slice(4)}\n`])}) 0;\n` +
      `await tools.write_stdin({session_id: r.session_id, chars: ${JSON.stringify(line.slice(0, 4))}});\n` +
      `await tools.write_stdin({session_id: r.session_id, chars: ${JSON.stringify(`${line.slice(4)}\n`)}});`,
  );

const jwt = (() => {
  const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const account = { chatgpt_account_id: 'acc-1', chatgpt_plan_type: 'plus', chatgpt_user_id: 'u', user_id: 'u' };
  return `${encode({ alg: 'none' })}.${encode({ email: 'a@b.example', exp: 4_102_444_800, 'https://api.openai.com/auth': account })}.sig`;
})();
const tokens = { id_token: jwt, access_token: jwt, refresh_token: 'r', account_id: 'acc-1' };
const LOGINS = {
  key: { OPENAI_API_KEY: 'sk-key-of-the-user' },
  chatgpt: { auth_mode: 'chatgpt', OPENAI_API_KEY: null, tokens, last_refresh: new Date().toISOString() },
};

function scene(name, { words, steps, login = 'key', mode = 'post' }, isAlone) {
  const [log, file] = [join(folder, `log-${name}`), join(folder, `steps-${name}`)];
  rmSync(join(folder, 'port'), { force: true });
  rmSync(marker, { force: true });
  writeFileSync(file, JSON.stringify(steps));
  writeFileSync(join(home, '.codex', 'auth.json'), JSON.stringify(LOGINS[login]));
  const more = { NODE: process.execPath, FOLDER: folder, STEPS: file, LOG: log, MODE: mode, ALONE: isAlone ? '1' : '0' };
  const ended = run([...(isAlone ? ['unshare', '-n'] : []), 'sh', '-c', SCENE, 'sh', ...words], { env: { ...env, ...more } });
  const lines = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : [];
  const requests = lines
    .map((line) => JSON.parse(line))
    .filter(({ method }) => method === (mode === 'socket' ? 'FRAME' : 'POST'));
  say(`${name} (code ${ended.status}): ${ended.text.slice(-1500)}`);
  return { ...ended, executed: existsSync(marker) ? readFileSync(marker, 'utf8') : '', requests };
}

function main() {
  say(`installing Codex in ${folder} …`);
  const name = `@openai/codex@${process.argv[2] ?? 'latest'}`;
  const installed = run(['npm', 'install', '--no-audit', '--no-fund', '--prefix', folder, name], {
    env: { ...process.env, HOME: homedir() },
    cwd: folder,
    timeout: 600_000,
  });
  const codex = [process.execPath, join(folder, 'node_modules', '@openai', 'codex', 'bin', 'codex.js')];
  const version = run([...codex, '--version']);
  if (installed.status !== 0 || version.status !== 0) {
    say(`not tried: ${installed.text.slice(-500)}\n${version.text.slice(-500)}`);
    return 2;
  }
  const isAlone = run(['unshare', '-n', 'sh', '-c', 'ip link set lo up || ifconfig lo up']).status === 0;
  say(`${version.stdout.trim()}${isAlone ? ', without a network' : ''}`);
  writeFileSync(join(folder, 'mock.mjs'), MOCK);
  for (const [policy, action] of Object.entries({ denied: 'deny', allowed: 'allow' })) {
    const rule = `[[rule]]\nid = "marks"\naction = "${action}"\nserver = "native"\ntool = "exec_command"\nargs.cmd = "**>> **marker**"\n`;
    writeFileSync(join(folder, `${policy}.toml`), `[defaults]\naction = "allow"\n${rule}`);
  }
  const exec = ['exec', '--dangerously-bypass-approvals-and-sandbox', '--skip-git-repo-check'];
  const clawai = (policy) => [process.execPath, BIN, 'run', '--policy', join(folder, `${policy}.toml`), '--', ...codex];
  const play = (title, policy, steps, more = {}) =>
    scene(
      title,
      {
        words: [...(policy === undefined ? codex : clawai(policy)), ...exec, ...(more.words ?? ['Leave a mark.'])],
        steps,
        ...more.with,
      },
      isAlone,
    );

  const direct = play('direct', undefined, [call(mark)]);
  if (direct.executed !== 'once\n') {
    say('not tried: Codex does not execute what the mock calls');
    return 2;
  }
  const resumed = play('resumed', 'allowed', [], { words: ['resume', '--last', 'Go on.'] });
  const called = play('called', 'denied', [call(mark)]);
  const inProgram = play('in a program', 'denied', [program(`await tools.exec_command({cmd: ${JSON.stringify(mark)}})`)]);
  const aliased = play('in a program that hides it', 'denied', [
    program(
      `const {exec_command: r} = tools; const c = ${JSON.stringify([mark.slice(0, 9), mark.slice(9)])}.join(""); await r({cmd: c})`,
    ),
  ]);
  const readProgram = play('allowed in a program', 'allowed', [
    program(
      `const cmd = ${JSON.stringify(mark)};\nconst r = await tools.exec_command({ cmd, yield_time_ms: 1000 });\ntext(r.output)`,
    ),
  ]);
  const piecewise = play('typed', 'denied', [typed(mark)]);
  const allowed = play('allowed', 'allowed', [call(mark)]);
  const login = play('login', 'denied', [call(mark)], { with: { login: 'chatgpt' } });
  const [other] = call('echo other');
  const mixed = play('mixed', 'denied', [[...call(mark), { ...other, id: 'fc_2', call_id: 'call_2' }]], {
    with: { login: 'chatgpt' },
  });
  const bySocket = { with: { mode: 'socket' } };
  const socketCalled = play('by a WebSocket', 'denied', [call(mark)], bySocket);
  const socketProgram = play(
    'in a program, by a WebSocket',
    'denied',
    [program(`await tools.exec_command({cmd: ${JSON.stringify(mark)}})`)],
    bySocket,
  );
  const socketAllowed = play('allowed, by a WebSocket', 'allowed', [call(mark)], bySocket);
  const socketMixed = play('mixed, by a WebSocket', 'denied', [[...call(mark), { ...other, id: 'fc_2', call_id: 'call_2' }]], {
    with: { mode: 'socket', login: 'chatgpt' },
  });
  const socketResumed = play('resumed, by a WebSocket', 'denied', [], { ...bySocket, words: ['resume', '--last', 'Go on.'] });
  const sockets = [socketCalled, socketProgram, socketAllowed, socketMixed, socketResumed];
  const isToldIn = ({ body }) => /"function_call_output".*"call_1".*clawai denied/.test(body.replaceAll('\n', ' '));

  const all = [called, inProgram, aliased, readProgram, piecewise, allowed, login, mixed];
  const checks = {
    'a session that began without clawai goes on': resumed.requests[0]?.body.includes('Leave a mark.') === true,
    'a denied call is not executed': called.executed === '' && called.stdout.includes('[clawai blk_'),
    'nor one of a program': inProgram.executed === '' && inProgram.stdout.includes('[clawai blk_'),
    'nor one of a program that hides it': aliased.executed === '' && aliased.stdout.includes('[clawai blk_'),
    'an allowed one of a program is executed once': readProgram.executed === 'once\n',
    'nor one that is typed in pieces': piecewise.executed === '' && piecewise.stdout.includes('[clawai blk_'),
    'an allowed one is executed once': allowed.executed === 'once\n',
    'and its result goes back to the model': allowed.requests.length === 2,
    "the login's requests come by, too": login.executed === '' && login.requests[0]?.authorization === `Bearer ${jwt}`,
    'a denied call is put back in the next request': mixed.executed === '' && mixed.requests.slice(1).some(isToldIn),
    'by a WebSocket, a denied call is not executed':
      [socketCalled, socketProgram].every(({ stdout }) => stdout.includes('[clawai blk_')) &&
      [socketCalled, socketProgram, socketMixed].every(({ executed, requests }) => executed === '' && requests.length > 0),
    'an allowed one is executed once there': socketAllowed.executed === 'once\n',
    'and the model is told of a denied one there, on the connection and in a later run':
      socketMixed.requests.some((request) => request.body.includes('previous_response_id') && isToldIn(request)) &&
      socketResumed.requests.some(({ body }) => body.includes('[clawai blk_')),
    'all ends as without clawai': [...all, ...sockets].every(({ status }) => status === 0),
    'every request to the model was checked, and every call': [...all, ...sockets].every(({ stderr, requests }) =>
      new RegExp(
        `checked ${requests.length} requests? to the model and ${requests === mixed.requests || requests === socketMixed.requests ? 2 : '[0-9]+'} calls? in`,
      ).test(stderr),
    ),
  };
  for (const [check, holds] of Object.entries(checks)) say(`${holds ? 'ok    ' : 'NOT OK'} ${check}`);
  return Object.values(checks).every(Boolean) ? 0 : 1;
}

let code = 2;
try {
  code = main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(code);

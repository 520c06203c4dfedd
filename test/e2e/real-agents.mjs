// Holds `clawai run` against real agents that are led to it by their own variables: goose, Qwen Code and Copilot CLI with a key of its own. What the
// policy denies of what their model calls must not be executed, and what it allows must be, once. The model is a mock on this machine. Not part of
// the tests, since it downloads the agents from npm (900 MB) into a temporary folder:
//
//   node test/e2e/real-agents.mjs [a folder where npm has installed them]
//
// Where `unshare` works (root on Linux), they run without a network. Exit code: 0 as it should be, 1 not, 2 not tried.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BIN, createRoom, say } from '../support/real-agent.mjs';

const PACKAGES = ['@aaif/goose@0.20.1', '@qwen-code/qwen-code@0.24.4', '@github/copilot@1.0.102'];
const PROMPT = 'Leave a mark.';

/**
 * The agents, with the variables that name the model's address (`URL` stands for the mock's) and the paths by which they ask it.
 */
const AGENTS = [
  {
    name: 'goose',
    program: 'goose',
    words: ['run', '--no-session', '--with-builtin', 'developer', '-t', PROMPT],
    env: {
      GOOSE_PROVIDER: 'openai',
      GOOSE_MODEL: 'gpt-4o',
      GOOSE_MODE: 'auto',
      GOOSE_DISABLE_KEYRING: '1',
      OPENAI_API_KEY: 'sk-of-the-user',
      OPENAI_HOST: 'URL',
    },
  },
  {
    name: 'goose with Claude',
    program: 'goose',
    words: ['run', '--no-session', '--with-builtin', 'developer', '-t', PROMPT],
    env: {
      GOOSE_PROVIDER: 'anthropic',
      GOOSE_MODEL: 'claude-sonnet-4-5',
      GOOSE_MODE: 'auto',
      GOOSE_DISABLE_KEYRING: '1',
      ANTHROPIC_API_KEY: 'sk-ant-of-the-user',
      ANTHROPIC_HOST: 'URL',
    },
  },
  {
    name: 'Qwen Code',
    program: 'qwen',
    words: ['--yolo', '--auth-type', 'openai', '-p', PROMPT],
    env: { OPENAI_API_KEY: 'sk-of-the-user', OPENAI_MODEL: 'qwen3-coder-plus', OPENAI_BASE_URL: 'URL/v1' },
  },
  {
    name: 'Copilot CLI',
    program: 'copilot',
    words: ['--allow-all-tools', '--no-auto-update', '-p', PROMPT],
    env: {
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: 'sk-of-the-user',
      COPILOT_PROVIDER_BASE_URL: 'URL/v1',
      COPILOT_MODEL: 'gpt-4o',
    },
  },
  {
    name: 'Copilot CLI with Claude',
    program: 'copilot',
    words: ['--allow-all-tools', '--no-auto-update', '-p', PROMPT],
    env: {
      COPILOT_PROVIDER_TYPE: 'anthropic',
      COPILOT_PROVIDER_API_KEY: 'sk-ant-of-the-user',
      COPILOT_PROVIDER_BASE_URL: 'URL',
      COPILOT_MODEL: 'claude-sonnet-4-5',
    },
  },
];

/** The model, in three APIs: calls a command once, by the shell tool that it is offered, and ends after that. It writes down what it was asked. */
const MOCK = String.raw`
import { createServer } from 'node:http';
import { appendFileSync } from 'node:fs';
const [, , marker, log] = process.argv;
const SHELLS = ['bash', 'shell', 'run_shell_command', 'developer__shell'];
let hasCalled = false;
const event = (data, name) => (name ? 'event: ' + name + '\n' : '') + 'data: ' + JSON.stringify(data) + '\n\n';
const namesOf = (tools) => tools.map((tool) => tool.name ?? tool.function?.name);
const base = (object, model) => ({ id: 'chat_1', object, created: 1, model });

function chat(body, call) {
  const message = call
    ? { role: 'assistant', content: null, tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: call.name, arguments: JSON.stringify(call.args) } }] }
    : { role: 'assistant', content: 'All is said.' };
  const finish_reason = call ? 'tool_calls' : 'stop';
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  if (!body.stream) return { type: 'application/json', text: JSON.stringify({ ...base('chat.completion', body.model), choices: [{ index: 0, message, finish_reason }], usage }) };
  const chunk = (delta, finish_reason) => event({ ...base('chat.completion.chunk', body.model), choices: [{ index: 0, delta, finish_reason }] });
  return { text: chunk(message, null) + chunk({}, finish_reason) + event({ ...base('chat.completion.chunk', body.model), choices: [], usage }) + 'data: [DONE]\n\n' };
}
function messages(body, call) {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const whole = { id: 'msg_1', type: 'message', role: 'assistant', model: body.model, stop_reason: call ? 'tool_use' : 'end_turn', stop_sequence: null, usage };
  const block = call ? { type: 'tool_use', id: 'toolu_1', name: call.name, input: call.args } : { type: 'text', text: 'All is said.' };
  if (!body.stream) return { type: 'application/json', text: JSON.stringify({ ...whole, content: [block] }) };
  const delta = call ? { type: 'input_json_delta', partial_json: JSON.stringify(call.args) } : { type: 'text_delta', text: block.text };
  return { text: [
    { type: 'message_start', message: { ...whole, stop_reason: null, content: [] } },
    { type: 'content_block_start', index: 0, content_block: call ? { ...block, input: {} } : { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: whole.stop_reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ].map((data) => event(data, data.type)).join('') };
}
function responses(body, call) {
  const item = call
    ? { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: call.name, arguments: JSON.stringify(call.args), status: 'completed' }
    : { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'All is said.', annotations: [] }] };
  const whole = (status, output) => ({ id: 'resp_1', object: 'response', created_at: 1, status, error: null, incomplete_details: null, model: body.model, output, tools: [], usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } });
  if (!body.stream) return { type: 'application/json', text: JSON.stringify(whole('completed', [item])) };
  return { text: [
    { type: 'response.created', response: whole('in_progress', []) },
    { type: 'response.output_item.added', output_index: 0, item: call ? { ...item, arguments: '', status: 'in_progress' } : { ...item, content: [], status: 'in_progress' } },
    ...(call ? [{ type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 0, delta: item.arguments }, { type: 'response.function_call_arguments.done', item_id: 'fc_1', output_index: 0, arguments: item.arguments }]
      : [{ type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'All is said.' }]),
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: whole('completed', [item]) },
  ].map((data, sequence_number) => event({ ...data, sequence_number }, data.type)).join('') };
}
createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const path = request.url.split('?')[0];
    appendFileSync(log, request.method + ' ' + request.url + '\n');
    const answer = path.endsWith('/chat/completions') ? chat : path.endsWith('/messages') ? messages : path.endsWith('/responses') ? responses : undefined;
    if (answer === undefined || request.method !== 'POST') return response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"type":"not_found_error","message":"Not Found"}}');
    const body = JSON.parse(Buffer.concat(parts).toString());
    const offered = namesOf(body.tools ?? []);
    const name = SHELLS.find((shell) => offered.includes(shell));
    const isCall = !hasCalled && name !== undefined;
    hasCalled ||= isCall;
    const { type = 'text/event-stream', text } = answer(body, isCall ? { name, args: { command: 'echo once >> ' + marker, description: 'Leave a mark', is_background: false } } : undefined);
    response.writeHead(200, { 'content-type': type }).end(text);
  });
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
`;

/** In a network of its own, where there is nothing but this machine: the mock, and then the agent. */
const SCENE = `
[ "$ALONE" = 1 ] && { ip link set lo up || ifconfig lo up; }
"$NODE" "$FOLDER/mock.mjs" "$MARKER" "$LOG" > "$FOLDER/port" &
mock=$!
for i in $(seq 100); do [ -s "$FOLDER/port" ] && break; sleep 0.05; done
URL="http://127.0.0.1:$(cat "$FOLDER/port")"
for each in $VARIABLES; do
  value=$(eval "printf %s \\"\\$$each\\"" | sed "s#^URL#$URL#")
  export "$each=$value"
done
"$@"
code=$?
kill $mock
exit $code
`;

const { folder, project, env, run } = createRoom('agents', { TERM: 'dumb', NO_COLOR: '1' });

function scene(agent, what, words, isAlone) {
  const [marker, log] = [join(project, `marker-${what}`), join(folder, `log-${what}`)];
  for (const old of [join(folder, 'port'), marker, log]) rmSync(old, { force: true });
  const more = { NODE: process.execPath, FOLDER: folder, MARKER: marker, LOG: log, ALONE: isAlone ? '1' : '0' };
  const variables = Object.keys(agent.env).join(' ');
  const ended = run([...(isAlone ? ['unshare', '-n'] : []), 'sh', '-c', SCENE, 'sh', ...words], {
    env: { ...env, ...agent.env, ...more, VARIABLES: variables },
  });
  const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  return { ...ended, executed: read(marker), asked: [...new Set(read(log).trimEnd().split('\n'))].join(', ') };
}

function main() {
  const [given] = process.argv.slice(2);
  const at = given === undefined ? folder : resolve(given);
  if (given === undefined) {
    say(`installing ${PACKAGES.join(', ')} in ${folder} …`);
    const install = ['npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder, ...PACKAGES];
    const { status, text } = run(install, { env: process.env, cwd: folder, timeout: 600_000 });
    if (status !== 0) {
      say(`not tried: ${text.slice(-500)}`);
      return 2;
    }
  }
  const isAlone = run(['unshare', '-n', 'sh', '-c', 'ip link set lo up || ifconfig lo up']).status === 0;
  writeFileSync(join(folder, 'mock.mjs'), MOCK);
  for (const action of ['deny', 'allow']) {
    const rule = `[[rule]]\nid = "marks"\naction = "${action}"\nserver = "native"\ntool = "**"\nargs."**" = "**marker**"\n`;
    writeFileSync(join(folder, `${action}.toml`), `[defaults]\naction = "allow"\n${rule}`);
  }
  const checks = [];
  for (const agent of AGENTS) {
    const words = [join(at, 'node_modules', '.bin', agent.program), ...agent.words];
    const clawai = (action) => [process.execPath, BIN, 'run', '--policy', join(folder, `${action}.toml`), '--', ...words];
    const direct = scene(agent, 'direct', words, isAlone);
    if (direct.executed !== 'once\n') {
      say(
        `not tried: ${agent.name} does not execute what the mock calls (code ${direct.status}): ${direct.text.slice(-1500)}\n${direct.asked}`,
      );
      checks.push([agent.name, 'it was tried', false]);
      continue;
    }
    const denied = scene(agent, 'denied', clawai('deny'), isAlone);
    const allowed = scene(agent, 'allowed', clawai('allow'), isAlone);
    say(
      `${agent.name}, denied (code ${denied.status}): ${denied.text.slice(-700)}\n${denied.asked}\nallowed (code ${allowed.status}): ${allowed.text.slice(-700)}\n${allowed.asked}\n`,
    );
    checks.push(
      [agent.name, 'what is denied is not executed', denied.executed === ''],
      [agent.name, 'the person or the model is told why', /\[clawai blk_/.test(denied.text)],
      [agent.name, 'what is allowed is executed once', allowed.executed === 'once\n'],
      [agent.name, 'the API is asked by its own paths', allowed.asked === direct.asked],
      [agent.name, 'it is said how many requests were checked', /checked \d+ requests? to the model/.test(allowed.stderr)],
    );
  }
  for (const [agent, what, holds] of checks) say(`${holds ? 'ok  ' : 'FAIL'}  ${agent}: ${what}`);
  return checks.every(([, , holds]) => holds) ? 0 : 1;
}

try {
  process.exitCode = main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

// Holds `clawai run` against the real Claude Code: what the policy denies of what its model calls must not be executed, and what it allows must
// be, once; a conversation goes on after a denied call as if the model had been told so by the agent; and one whose tools show secrets goes on
// without them, with the same beginning of each request as before. The model is a mock on this machine. Not part of the tests, since it downloads
// Claude Code from npm (some 200 MB) into a temporary folder:
//
//   node test/e2e/real-claude-llm.mjs [VERSION]
//
// No login is needed. Where `unshare` works (root on Linux), Claude Code runs without a network. Exit code: 0 as it should be, 1 not, 2 not tried.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BIN, createRoom, say } from '../support/real-agent.mjs';

const { folder, env, run } = createRoom('claude-llm', {
  ANTHROPIC_API_KEY: 'sk-ant-api03-key-of-the-user',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  // Else tools of MCP servers are not there before the model looks for them.
  ENABLE_TOOL_SEARCH: 'false',
});

/**
 * The model: says what PLAN says, one answer after the other to what has the tools that it calls, and then that all is said. What is asked of it
 * that has no such tools (a title, a topic) is answered by a word, and an answer without calls says the last secret that it was given, or what
 * stands for it. It runs within the same network as the agent, and writes down what it was asked.
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
    const isNext = turn < turns.length && offered.length > 0 && calls.every(({ name }) => offered.includes(name));
    if (isNext) turn++;
    const last = offered.length > 0 ? body.match(/CLAWAI-[A-Z0-9-]+|\\[redacted:\\w+\\]|ghp_\\w+/g)?.at(-1) : undefined;
    const words = last === undefined ? 'All is said.' : 'All is said. The key is ' + last + '.';
    const events = isNext && calls.length > 0 ? answer([...(calls.some(({ thinks = true }) => thinks) ? [think] : []), text('So.'), ...calls.map(call)], 'tool_use') : answer([text(words)], 'end_turn');
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

/** What the tools show, one in each turn. Nothing but its name tells that the fourth is one, and the user writes it in the fifth. */
const SECRETS = ['a', 'b', 'c', '', 'd'].map((letter, at) =>
  at === 3 ? 'violet-Otter-22-quay' : `ghp_${letter.repeat(4)}0123456789abcdefghijABCDEFGHIJ01`,
);

/**
 * Five prompts to one conversation, in each of which a tool shows a secret. What each came to, by what it is told as.
 *
 * @param mode of `on_request`; undefined: without clawai, to see what the agent itself keeps of a request
 */
function secretConversation(mode, { claude, isAlone, flags = '--allowedTools Bash' }) {
  const name = `secrets-${mode ?? 'direct'}`;
  for (const [at, secret] of SECRETS.entries())
    writeFileSync(join(folder, 'project', `${at}.env`), `# of ${name}\n${at === 3 ? 'DB_PASSWORD' : 'GH_TOKEN'}=${secret}\n`);
  writeFileSync(join(folder, `${name}.toml`), `[defaults]\naction = "allow"\n[dlp]\non_request = "${mode ?? 'alert'}"\n`);
  // Claude Code leaves what was thought out of some requests.
  const show = (at) => ({
    thinks: false,
    id: `toolu_show${at}`,
    name: 'Bash',
    input: { command: `cat ${at}.env`, description: 'Show it' },
  });
  const plan = SECRETS.flatMap((_secret, at) => [[show(at)], []]);
  const prompts = SECRETS.map((_secret, at) => (at === 4 ? `Is it still ${SECRETS[3]}?` : `Show ${at}.env.`));
  const script = prompts.map((prompt, at) => `"${claude}" -p ${at === 0 ? '' : '--continue'} "${prompt}" ${flags}`).join(' && ');
  const words = ['sh', '-c', script];
  const behind = [process.execPath, BIN, 'run', '--policy', join(folder, `${name}.toml`), '--', ...words];
  const ended = scene(name, mode === undefined ? words : behind, { isAlone, plan });
  const asked = ended.requests
    .filter(({ url }) => /\/v1\/messages(\?|$)/.test(url))
    .map(({ body }) => JSON.parse(body))
    .filter(({ tools = [] }) => tools.some(({ name: tool }) => tool === 'Bash'));
  const cached = asked.slice(1).filter((request, at) => goesOn(asked[at], request)).length;
  say(`${name} (code ${ended.status}): ${asked.length} requests, ${cached} begin as the one before up to its last breakpoint`);
  return { ...ended, asked, cached, seen: ended.requests.map(({ body }) => body).join('\n') };
}

/** Tells whether a request begins with what another had up to its last breakpoint, in the order in which the API caches: what it need not read again. */
function goesOn(before, after) {
  const [first, next] = [before, after].map(pieces);
  const last = first.findLastIndex(({ isBreakpoint }) => isBreakpoint);
  return last !== -1 && first.slice(0, last + 1).every(({ text }, at) => text === next[at]?.text);
}

function pieces({ tools = [], system = [], messages }) {
  const blocks = (content) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content);
  const all = [
    ...tools,
    ...blocks(system),
    ...messages.flatMap(({ role, content }) => blocks(content).map((block) => ({ role, ...block }))),
  ];
  return all.map(({ cache_control: breakpoint, ...rest }) => ({
    text: JSON.stringify(rest),
    isBreakpoint: breakpoint !== undefined,
  }));
}

function secretChecks(given) {
  const direct = secretConversation(undefined, given);
  const checks = {};
  for (const mode of ['tokenize', 'redact']) {
    const { status, asked, cached, seen, stdout } = secretConversation(mode, given);
    const says = (what) => `${mode}: ${what}`;
    checks[says('five turns go on as without clawai')] =
      status === 0 && asked.length === direct.asked.length && direct.asked.length >= 10;
    checks[says('the model gets none of five secrets')] = SECRETS.every((secret) => !seen.includes(secret));
    checks[says('as many requests begin as the one before as without clawai')] = cached === direct.cached && cached > 0;
    checks[says('the person reads the secret, and no token')] =
      mode === 'tokenize'
        ? SECRETS.filter((secret) => secret.startsWith('ghp_')).every((secret) => stdout.includes(secret)) &&
          !stdout.includes('CLAWAI-')
        : stdout.includes('[redacted:github_token]');
  }
  return checks;
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
  const talk = { ...conversation({ claude, clawai, isAlone }), ...secretChecks({ claude, isAlone }) };
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

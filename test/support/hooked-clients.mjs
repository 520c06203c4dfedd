// What test/e2e/real-hooks.mjs has to know of each client: how it is started and configured, and a model that calls its shell tool once.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

function write(file, value) {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
}

/** A mock's beginning and end: `answer(body, request)` returns type and text, and `plan` is the call. */
const mockOf = (body) => `
import { createServer } from 'node:http';
import { appendFileSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
const [, , planText, log] = process.argv;
const plan = JSON.parse(planText);
let hasCalled = false;
const write = (events) => events.map((event) => 'event: ' + event.type + '\\ndata: ' + JSON.stringify(event) + '\\n\\n').join('');
${body}
createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const bytes = Buffer.concat(parts);
    const body = (request.headers['content-encoding'] === 'zstd' ? zstdDecompressSync(bytes) : bytes).toString();
    appendFileSync(log, JSON.stringify({ method: request.method, url: request.url, body }) + '\\n');
    const [type, text] = answer(body, request);
    response.writeHead(200, { 'content-type': type }).end(text);
  });
})
  .on('upgrade', (_request, socket) => socket.end('HTTP/1.1 426 Upgrade Required\\r\\ncontent-length: 0\\r\\n\\r\\n'))
  .listen(0, '127.0.0.1', function () { console.log(this.address().port); });
`;

const ANTHROPIC = mockOf(`
const usage = { input_tokens: 1, output_tokens: 1 };
const said = (blocks, stop_reason) => ({ id: 'msg_' + Date.now(), type: 'message', role: 'assistant', model: 'claude-x', content: blocks, stop_reason, stop_sequence: null, usage });
function stream(blocks, reason) {
  return write([
    { type: 'message_start', message: said([], null) },
    ...blocks.flatMap(({ start, delta }, index) => [
      { type: 'content_block_start', index, content_block: start },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]);
}
const text = { start: { type: 'text', text: '' }, delta: { type: 'text_delta', text: 'All is said.' } };
function answer(body, { url }) {
  if (!/\\/v1\\/messages(\\?|$)/.test(url)) return ['application/json', '{"input_tokens":1}'];
  const asked = JSON.parse(body);
  const canCall = !hasCalled && (asked.tools ?? []).some(({ name }) => name === plan.name);
  hasCalled ||= canCall;
  if (!asked.stream) return ['application/json', JSON.stringify(said([{ type: 'text', text: 'x' }], 'end_turn'))];
  const call = { start: { type: 'tool_use', id: 'toolu_0123456789abcdefgh', name: plan.name, input: {} }, delta: { type: 'input_json_delta', partial_json: JSON.stringify(plan.input) } };
  return ['text/event-stream', canCall ? stream([call], 'tool_use') : stream([text], 'end_turn')];
}
`);

const RESPONSES = mockOf(`
let answers = 0;
function answer(body, { method }) {
  if (method !== 'POST') return ['application/json', '{"models":[]}'];
  const said = { type: 'message', role: 'assistant', id: 'msg_1', status: 'completed', content: [{ type: 'output_text', text: 'All is said.', annotations: [] }] };
  const items = hasCalled ? [said] : [{ type: 'function_call', id: 'fc_1', call_id: 'call_0123456789abcdefgh', status: 'completed', ...plan }];
  hasCalled = true;
  let sequence_number = 0;
  const response = { id: 'resp_' + answers++, object: 'response', status: 'in_progress', model: 'm', output: [] };
  const usage = { input_tokens: 1, input_tokens_details: { cached_tokens: 0 }, output_tokens: 1, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 2 };
  const events = [
    { type: 'response.created', response },
    ...items.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress' } },
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: 'response.completed', response: { ...response, status: 'completed', output: items, usage } },
  ];
  return ['text/event-stream', write(events.map((event) => ({ ...event, sequence_number: sequence_number++ })))];
}
`);

const GEMINI = mockOf(`
const rest = { usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 }, modelVersion: 'gemini-x', responseId: 'r-1' };
const event = (parts, more) => 'data: ' + JSON.stringify({ candidates: [{ content: { role: 'model', parts }, index: 0, ...more }], ...rest }) + '\\r\\n\\r\\n';
const end = event([{ text: '' }], { finishReason: 'STOP' });
function answer(body, { url }) {
  if (!url.includes(':streamGenerateContent')) {
    const said = { candidates: [{ content: { role: 'model', parts: [{ text: '{"complexity_reasoning":"x","complexity_score":1}' }] }, finishReason: 'STOP', index: 0 }], ...rest, totalTokens: 1 };
    return ['application/json', JSON.stringify(said)];
  }
  const canCall = !hasCalled && body.includes(plan.name);
  hasCalled ||= canCall;
  return ['text/event-stream', (canCall ? event([{ functionCall: { id: 'call_mark', ...plan }, thoughtSignature: 'c2lnbmF0dXJl' }]) : event([{ text: 'All is said.' }])) + end];
}
`);

const CHAT = mockOf(`
function answer(body, { method }) {
  if (method !== 'POST') return ['application/json', '{"data":[]}'];
  const asked = JSON.parse(body);
  const canCall = !hasCalled && (asked.tools ?? []).some((tool) => tool.function?.name === plan.name);
  hasCalled ||= canCall;
  const calls = [{ index: 0, id: 'call_0123456789abcdefgh', type: 'function', function: { name: plan.name, arguments: JSON.stringify(plan.args) } }];
  const message = canCall ? { role: 'assistant', content: null, tool_calls: calls } : { role: 'assistant', content: 'All is said.' };
  const rest = { id: 'c-1', created: 1, model: 'm' };
  const finish_reason = canCall ? 'tool_calls' : 'stop';
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  if (!asked.stream) return ['application/json', JSON.stringify({ ...rest, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage })];
  const chunk = (choice) => 'data: ' + JSON.stringify({ ...rest, object: 'chat.completion.chunk', ...choice }) + '\\n\\n';
  return ['text/event-stream', chunk({ choices: [{ index: 0, delta: message, finish_reason: null }] }) + chunk({ choices: [{ index: 0, delta: {}, finish_reason }] }) + chunk({ choices: [], usage }) + 'data: [DONE]\\n\\n'];
}
`);

const lastLines = (asked, pattern) =>
  asked
    .split('\n')
    .flatMap((line) => line.match(pattern) ?? [])
    .slice(-2)
    .join('\n');

const command = (marker) => `echo once >> ${marker}`;

/** @type every client that can be tried without a window */
export const HOOKED_CLIENTS = [
  {
    id: 'claude-code',
    package: '@anthropic-ai/claude-code',
    command: 'claude',
    env: {
      ANTHROPIC_API_KEY: 'sk-ant-api03-key-of-the-user',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
    },
    start: 'ANTHROPIC_BASE_URL="http://127.0.0.1:$PORT" exec "$CLI" -p "Leave a mark." --allowedTools Bash',
    mock: ANTHROPIC,
    plan: (marker) => ({ name: 'Bash', input: { command: command(marker), description: 'Leave a mark' } }),
    configure({ home }, hook) {
      const how = hook?.url === undefined ? { type: 'command', command: hook?.command } : { type: 'http', url: hook.url };
      const hooks = hook && { PreToolUse: [{ matcher: '*', hooks: [{ ...how, timeout: hook.seconds, onFailure: 'block' }] }] };
      write(join(home, '.claude', 'settings.json'), { hooks: hooks ?? {} });
    },
    settings: '.claude/settings.json',
    heard: (asked) => lastLines(asked, /\\"tool_result\\".{0,600}/g),
  },
  {
    id: 'codex',
    package: '@openai/codex',
    command: 'codex',
    env: {},
    start:
      'exec "$CLI" exec --dangerously-bypass-approvals-and-sandbox --dangerously-bypass-hook-trust --skip-git-repo-check "Leave a mark." -c "openai_base_url=\\"http://127.0.0.1:$PORT/v1\\""',
    mock: RESPONSES,
    plan: (marker) => ({ name: 'exec_command', namespace: 'functions', arguments: JSON.stringify({ cmd: command(marker) }) }),
    configure({ home }, hook) {
      write(join(home, '.codex', 'auth.json'), { OPENAI_API_KEY: 'sk-key-of-the-user' });
      const hooks = hook && {
        PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: hook.command, timeout: hook.seconds }] }],
      };
      write(join(home, '.codex', 'hooks.json'), { hooks: hooks ?? {} });
    },
    heard: (asked) => lastLines(asked, /function_call_output.{0,600}/g),
  },
  {
    id: 'gemini-cli',
    package: '@google/gemini-cli',
    command: 'gemini',
    env: { GEMINI_API_KEY: 'AIza-key-of-the-user', GEMINI_CLI_TRUST_WORKSPACE: 'true', GEMINI_TELEMETRY_ENABLED: 'false' },
    start: 'GOOGLE_GEMINI_BASE_URL="http://127.0.0.1:$PORT" exec "$CLI" --approval-mode yolo -p "Leave a mark."',
    mock: GEMINI,
    plan: (marker) => ({ name: 'run_shell_command', args: { command: command(marker), description: 'Leave a mark' } }),
    configure({ home }, hook) {
      const entry = hook && { name: 'clawai', type: 'command', command: hook.command, timeout: hook.seconds * 1000 };
      write(join(home, '.gemini', 'settings.json'), {
        security: { auth: { selectedType: 'gemini-api-key' } },
        ...(entry && { hooks: { BeforeTool: [{ matcher: '*', hooks: [entry] }] } }),
      });
    },
    heard: (asked) => lastLines(asked, /functionResponse.{0,600}/g),
  },
  {
    id: 'copilot-cli',
    package: '@github/copilot',
    command: 'copilot',
    env: { COPILOT_OFFLINE: 'true', COPILOT_MODEL: 'm', COPILOT_PROVIDER_TYPE: 'openai', COPILOT_PROVIDER_API_KEY: 'k' },
    start: 'COPILOT_PROVIDER_BASE_URL="http://127.0.0.1:$PORT/v1" exec "$CLI" -p "Leave a mark." --allow-all-tools --no-color',
    mock: CHAT,
    plan: (marker) => ({ name: 'bash', args: { command: command(marker), description: 'Leave a mark' } }),
    configure({ home }, hook) {
      const file = join(home, '.copilot', 'hooks', 'clawai.json');
      if (hook === undefined) return rmSync(file, { force: true });
      write(file, { version: 1, hooks: { preToolUse: [{ type: 'command', bash: hook.command, timeoutSec: hook.seconds }] } });
    },
    heard: (asked) => lastLines(asked, /\\"tool_call_id\\".{0,600}/g),
  },
];

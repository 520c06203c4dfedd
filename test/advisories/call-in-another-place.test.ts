import { afterEach, beforeEach, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { begin, chunk, DONE } from '../support/chat-chunks.ts';
import { EveryModel } from '../support/every-model.ts';
import { post } from '../support/post.ts';
import { Serving } from '../support/serving.ts';

/**
 * Who speaks an API in another one's words may put calls where that one has them. They passed unseen in Anthropic's dialect, where the content of a message was
 * looked at alone, and in whole answers that have the `delta` of streams, for which some clients look.
 */
const POLICY = '[defaults]\naction = "allow"\n[[rule]]\naction = "deny"\nserver = "native"\ntool = "danger"\n';

const CALL = { id: 'a', type: 'function', function: { name: 'danger', arguments: '{}' } };
const USE = { type: 'tool_use', id: 'a', name: 'danger', input: {} };
const TEXT = { type: 'text', text: 'a' };

const message = (members: object): object => ({ id: 'msg_1', type: 'message', role: 'assistant', content: [TEXT], ...members });
const part = (members: object): object => ({ candidates: [{ content: { parts: [members] } }] });
const choice = (members: object): object => ({ index: 0, finish_reason: 'tool_calls', ...members });

const BODY = JSON.stringify({ messages: [], contents: [] });
const BATCH = '/v1/messages/batches/b/results';

const sandbox = useSandbox();
let model: EveryModel;
let serving: Serving;
beforeEach(async () => {
  model = await EveryModel.start();
  const tables = ['anthropic', 'openai', 'gemini'].map(
    (dialect) => `[llm.providers.${dialect}]\ndialect = "${dialect}"\nbase_url = "${model.origin}/v1"\n`,
  );
  serving = await Serving.start(sandbox.current, { policy: POLICY, config: tables.join('') });
});
afterEach(async () => {
  await serving.stop();
  await model.stop();
});

it('whole answers are refused', async () => {
  for (const [dialect, path, answer] of [
    ['anthropic', '/messages', message({ tool_calls: [CALL] })],
    ['anthropic', '/messages', message({ message: message({ content: [USE] }) })],
    ['anthropic', '/messages', message({ choices: [choice({ message: { tool_calls: [CALL] } })] })],
    ['anthropic', '/messages', message({ content: [{ ...TEXT, tool_use: USE }] })],
    ['anthropic', '/messages', message({ content: [{ type: 'thinking', thinking: 'a', content: [USE] }] })],
    ['anthropic', '/messages', message({ content: [{ ...USE, type: 'text', text: 'a' }] })],
    ['anthropic', '/messages', message({ pending: { name: 'danger', input: {} } })],
    ['openai', '/chat/completions', { choices: [choice({ delta: { tool_calls: [CALL] } })] }],
    [
      'openai',
      '/chat/completions',
      { choices: [choice({ message: { content: 'a' }, delta: { function_call: CALL.function } })] },
    ],
    ['openai', '/chat/completions', { choices: [choice({ message: { action: CALL.function } })] }],
    ['openai', '/chat/completions', { output: [{ type: 'mcp_approval_request', name: 'danger', arguments: '{}' }] }],
    ['gemini', '/models/m:generateContent', { candidates: [], functionCalls: [{ name: 'danger', args: {} }] }],
    ['gemini', '/models/m:generateContent', { steps: [{ type: 'function_call', tool: 'danger' }] }],
    ['gemini', '/models/m:generateContent', part({ text: 'a', name: 'danger', args: {} })],
    ['gemini', '/models/m:generateContent', part({ text: 'a', partMetadata: { functionCall: { name: 'danger' } } })],
    // As JSON has it; in an object of JavaScript's it would be set.
    [
      'gemini',
      '/models/m:generateContent',
      JSON.parse('{"candidates":[{"content":{"parts":[{"text":"a","__proto__":{"functionCall":{"name":"danger"}}}]}}]}'),
    ],
  ] as const) {
    model.whole = JSON.stringify(answer);
    const { status, text } = await post(serving.llmUrl(dialect) + path, BODY);
    expect([model.whole, status, text]).toEqual([
      model.whole,
      502,
      expect.stringMatching(/a call .*where none is expected|a call is/),
    ]);
    expect(text).not.toContain('danger');
  }
});

it('streams end there', async () => {
  const start = { type: 'message_start', message: message({ content: [] }) };
  for (const events of [
    [{ ...start, message: { ...start.message, tool_calls: [CALL] } }],
    [start, { type: 'ping', content_block: USE, index: 0 }],
    [start, { type: 'content_block_start', index: 0, content_block: { ...TEXT, content: [USE] } }],
    [start, { type: 'message_delta', delta: { content: [USE] } }],
    [start, { type: 'message_delta', delta: { name: 'danger', input: {} } }],
    [start, { type: 'error', error: { type: 'api_error', message: 'a', content_block: USE } }],
    [{ ...start, message: { ...start.message, content: { 0: USE } } }],
    [start, { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{}', name: 'danger' } }],
    [start, { type: 'message_delta', delta: {}, message: message({ content: [USE] }) }],
  ]) {
    model.stream = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
    const { text } = await post(`${serving.llmUrl('anthropic')}/messages`, BODY);
    expect(text).toContain('a call where none is expected');
    expect(text).not.toContain('danger');
  }
  model.stream = [
    begin(),
    chunk({ content: 'a' }).replace('"delta"', '"message":{"tool_calls":[{"name":"danger"}]},"delta"'),
    DONE,
  ].join('');
  expect((await post(`${serving.llmUrl('openai')}/chat/completions`, BODY)).text).not.toContain('danger');
  for (const said of [
    { error: { message: 'a', choices: [choice({ delta: { tool_calls: [CALL] } })] } },
    { error: 'a', tool_calls: [CALL] },
  ]) {
    model.stream = begin() + `data: ${JSON.stringify(said)}\n\n`;
    expect((await post(`${serving.llmUrl('openai')}/chat/completions`, BODY)).text).not.toContain('danger');
  }
});

it('errors have none, whatever the status', async () => {
  for (const [dialect, path, answer] of [
    ['anthropic', '/messages', message({ content: [USE] })],
    ['openai', '/chat/completions', { choices: [choice({ message: { tool_calls: [CALL] } })] }],
    ['openai', '/chat/completions', { error: { message: 'a' }, message: { tool_calls: [CALL] } }],
    ['gemini', '/models/m:generateContent', part({ functionCall: { name: 'danger', args: {} } })],
    ['gemini', '/models/m:streamGenerateContent', [part({ functionCall: { name: 'danger', args: {} } })]],
  ] as const) {
    const url = serving.llmUrl(dialect) + path;
    for (const [status, whole, type] of [
      [400, JSON.stringify(answer)],
      [529, JSON.stringify(answer), 'text/html'],
      [500, JSON.stringify(answer).replace(/\}$/, ',"a":1,"a":2}'), 'text/plain'],
      [429, Buffer.from(JSON.stringify(answer), 'utf16le').toString()],
    ] as const) {
      Object.assign(model, { status, whole, type });
      expect(await post(url, BODY)).toMatchObject({ status: 502, text: expect.not.stringContaining('danger') });
    }
    Object.assign(model, { status: 503, stream: `data: ${JSON.stringify(answer)}\n\n`, type: undefined });
    expect((await post(url, BODY)).text).not.toMatch(/"(?:tool_calls|functionCall|tool_use)"/);
    model.stream = undefined;
  }
});

it('errors pass as they come, also where they quote what was asked', async () => {
  const quoted = { detail: [{ loc: ['body', 'messages', 1], input: { role: 'assistant', tool_calls: [CALL] } }] };
  const told = 'messages.1: `tool_use` ids were found without `tool_result` blocks, as in "tool_use"';
  for (const [type, whole] of [
    ['application/json', JSON.stringify(quoted)],
    ['application/json', JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: told } })],
    ['application/json', `[${JSON.stringify({ error: { code: 400, message: told } })}\n]\n`],
    ['text/html', '<h1>Bad gateway</h1> tool_calls'],
    ['text/event-stream', '{"error":{"message":"a"}}'],
    ['text/event-stream', 'event: error\ndata: {"error":{"message":"a"}}'],
    ['text/plain', ''],
  ] as const) {
    for (const [dialect, path] of [
      ['anthropic', '/messages'],
      ['openai', '/chat/completions'],
      ['gemini', '/models/m:generateContent'],
    ] as const) {
      Object.assign(model, { status: 422, whole, type });
      const { status, headers, text } = await post(serving.llmUrl(dialect) + path, BODY);
      expect([status, headers.get('retry-after'), text]).toEqual([422, '7', whole]);
    }
  }
});

it('an answer is read as it was judged: in UTF-8, whatever its type says', async () => {
  for (const [dialect, path] of [
    ['anthropic', '/messages'],
    ['openai', '/chat/completions'],
    ['gemini', '/models/m:generateContent'],
  ] as const) {
    // In UTF-7 it has a member more.
    Object.assign(model, { whole: '{"a":"+ACIALAAi-tool_calls+ACIAOgBbAHsAfQBd-"}', type: 'application/json; charset=utf-7' });
    const { headers, text } = await post(serving.llmUrl(dialect) + path, BODY);
    expect([headers.get('content-type'), text]).toEqual(['application/json', model.whole]);
  }
});

it('a call is that of a tool of the client, whatever it is said to be part of', async () => {
  for (const members of [{ server_name: 'x' }, { toolset_name: 'x' }, { toolset_name: '' }, { function: CALL.function }]) {
    model.whole = JSON.stringify(message({ content: [{ ...USE, name: 'function' in members ? 'fine' : 'danger', ...members }] }));
    const { text } = await post(`${serving.llmUrl('anthropic')}/messages`, BODY);
    expect([members, text]).toEqual([members, expect.not.stringContaining('"name"')]);
  }
  const inside = JSON.stringify({ tool_uses: [{ recipient_name: 'functions.danger', parameters: {} }] });
  const wrapped = { ...CALL, function: { name: 'multi_tool_use.parallel', arguments: inside } };
  model.whole = JSON.stringify({ choices: [choice({ message: { tool_calls: [wrapped] } })] });
  expect((await post(`${serving.llmUrl('openai')}/chat/completions`, BODY)).text).not.toContain('functions.danger');
  model.whole = JSON.stringify({
    choices: [
      choice({ message: { tool_calls: [{ ...CALL, function: { ...CALL.function, name: 'fine' }, next: CALL.function }] } }),
    ],
  });
  expect((await post(`${serving.llmUrl('openai')}/chat/completions`, BODY)).text).not.toContain('"arguments"');
});

it('what came of batches ends there', async () => {
  for (const [dialect, path, line] of [
    [
      'anthropic',
      BATCH,
      { custom_id: 'a', result: { type: 'succeeded', message: message({}) }, message: message({ content: [USE] }) },
    ],
    ['anthropic', BATCH, { custom_id: 'a', response: { body: message({ content: [USE] }) } }],
    ['openai', '/files/f/content', { response: { body: { choices: [choice({ delta: { tool_calls: [CALL] } })] } } }],
    [
      'openai',
      '/files/f/content',
      { custom_id: 'a', response: null, error: { choices: [choice({ message: { tool_calls: [CALL] } })] } },
    ],
    ['openai', '/files/f/content', { response: { choices: [choice({ message: { tool_calls: [CALL] } })] } }],
    ['openai', '/files/f/content', { response: [{ body: { choices: [choice({ message: { tool_calls: [CALL] } })] } }] }],
  ] as const) {
    model.whole = JSON.stringify(line);
    const text = await fetch(serving.llmUrl(dialect) + path.replace(/^\/v1/, '')).then(
      (response) => response.text(),
      () => '',
    );
    expect([model.whole, text]).toEqual([model.whole, expect.not.stringContaining('danger')]);
  }
});

it('a batch that has ended when it is begun has its results here', async () => {
  const url = serving.llmUrl('anthropic');
  // Also where a gateway has them at a place of its own.
  for (const path of [BATCH, '/messages/batches/b/results', '/results.jsonl?signed=1']) {
    model.whole = JSON.stringify({ id: 'b', results_url: `${model.origin}${path}` });
    expect(JSON.parse((await post(`${url}/messages/batches`, { requests: [] })).text)).toEqual({
      id: 'b',
      results_url: url + BATCH,
    });
  }
});

it('what tells of calls in words of its own passes', async () => {
  const edits = { applied_edits: [{ type: 'clear_tool_uses_20250919', cleared_tool_uses: 2, cleared_input_tokens: 9 }] };
  const said = message({ context_management: edits, usage: { server_tool_use: { web_search_requests: 1 } } });
  model.whole = JSON.stringify(said);
  expect((await post(`${serving.llmUrl('anthropic')}/messages`, BODY)).text).toBe(model.whole);
  const start = { type: 'message_start', message: { ...said, content: [] } };
  const end = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, context_management: edits };
  model.stream = [start, end].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  expect((await post(`${serving.llmUrl('anthropic')}/messages`, BODY)).text).toBe(model.stream);
  // Groq's, of a search that it has made.
  const executed = [{ index: 0, type: 'function', name: 'browser.search', arguments: '{"query":"a"}', output: 'b' }];
  model.stream = undefined;
  model.whole = JSON.stringify({ choices: [choice({ message: { content: 'a', executed_tools: executed } })] });
  expect((await post(`${serving.llmUrl('openai')}/chat/completions`, BODY)).text).toBe(model.whole);
  model.stream = begin() + chunk({ content: 'a', executed_tools: executed }) + DONE;
  expect((await post(`${serving.llmUrl('openai')}/chat/completions`, BODY)).text).toBe(model.stream);
});

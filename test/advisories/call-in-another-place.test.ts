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
const POLICY = '[defaults]\naction = "deny"\nnative = "deny"\n';

const CALL = { id: 'a', type: 'function', function: { name: 'danger', arguments: '{}' } };
const USE = { type: 'tool_use', id: 'a', name: 'danger', input: {} };
const TEXT = { type: 'text', text: 'a' };

const message = (members: object): object => ({ id: 'msg_1', type: 'message', role: 'assistant', content: [TEXT], ...members });
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
    ['openai', '/chat/completions', { choices: [choice({ delta: { tool_calls: [CALL] } })] }],
    [
      'openai',
      '/chat/completions',
      { choices: [choice({ message: { content: 'a' }, delta: { function_call: CALL.function } })] },
    ],
    ['gemini', '/models/m:generateContent', { candidates: [], functionCalls: [{ name: 'danger', args: {} }] }],
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
  model.whole = JSON.stringify({ id: 'b', results_url: `${model.origin}${BATCH}` });
  expect(JSON.parse((await post(`${url}/messages/batches`, { requests: [] })).text)).toEqual({
    id: 'b',
    results_url: url + BATCH,
  });
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
});

import { afterEach, expect, it } from 'vitest';
import { openaiApi } from '../../src/protocol/llm/openai/api.ts';
import { ALLOW, answerJson, answerStream, denyNative, type RunningLlm, runLlm } from '../support/llm-route.ts';

/**
 * A call whose name and arguments stood beside its `function`, as other APIs of OpenAI's have them, was decided as one without a name and went on with
 * both. Readers that know either form have them run.
 */
const FLAT = { name: 'shell', arguments: '{"command":"ls"}' };
const FUNCTION = { name: 'read', arguments: '{}' };

let llm: RunningLlm | undefined;
afterEach(async () => {
  await llm?.close();
  llm = undefined;
});

const CALLS: [string, object][] = [
  ['alone', FLAT],
  ['beside another one', { ...FLAT, function: FUNCTION }],
  ['with arguments alone', { arguments: FLAT.arguments, function: FUNCTION }],
  ['with a name alone', { name: 'shell', function: { ...FUNCTION, arguments: FLAT.arguments } }],
];

it.each(CALLS)('no flat call is let through in a stream: %s', async (_what, call) => {
  const chunk = (delta: object, finish: string | null) =>
    `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const body = `${chunk({ tool_calls: [{ index: 0, id: 'a', type: 'function', ...call }] }, null)}${chunk({}, 'tool_calls')}data: [DONE]\n\n`;
  llm = await runLlm({
    api: openaiApi,
    policy: ALLOW + denyNative('shell'),
    answer: (_asked, response) => answerStream(response, body),
  });
  const text = await (await llm.post({ messages: [] }, {}, '/chat/completions')).text();
  expect(text).not.toContain('command');
  expect(text).toContain('"finish_reason":"stop"');
});

it.each(CALLS)('no flat call is let through in a whole answer: %s', async (_what, call) => {
  const body = { choices: [{ message: { content: null, tool_calls: [{ id: 'a', type: 'function', ...call }] } }] };
  llm = await runLlm({
    api: openaiApi,
    policy: ALLOW + denyNative('shell'),
    answer: (_asked, response) => answerJson(response, body),
  });
  expect(await (await llm.post({ messages: [] }, {}, '/chat/completions')).text()).not.toContain('command');
});

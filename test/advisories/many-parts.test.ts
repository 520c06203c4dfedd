import { afterEach, expect, it } from 'vitest';
import { openaiApi } from '../../src/protocol/llm/openai/api.ts';
import { readUntilCut, type RunningLlm, runLlm } from '../support/llm-route.ts';

/**
 * What a call has besides its arguments was copied for each part of it that came: 20,000 parts, not half a megabyte, took a minute and a half, in
 * which nothing else happened, and which is more than a test may take.
 */
const PARTS = 20_000;

let llm: RunningLlm | undefined;
afterEach(async () => {
  await llm?.close();
  llm = undefined;
});

it.each([
  ['beside its function', (i: number) => `{"index":0,"k${i}":1}`],
  ['within its function', (i: number) => `{"index":0,"function":{"k${i}":1}}`],
])('a call of very many parts is put together in time: %s', async (_where, part) => {
  const parts = Array.from({ length: PARTS }, (_, i) => part(i)).join(',');
  llm = await runLlm({
    api: openaiApi,
    answer: (_asked, response) =>
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(
          `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f"}},${parts}]}}]}\n\n` +
            'data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\ndata: [DONE]\n\n',
        ),
  });
  const { text } = await readUntilCut(await llm.post({ messages: [] }, {}, '/v1/chat/completions'));
  expect(text).toContain(`"k${PARTS - 1}":1`);
});

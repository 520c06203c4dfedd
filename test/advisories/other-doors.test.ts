import { afterEach, expect, it } from 'vitest';
import { anthropicApi } from '../../src/protocol/llm/anthropic/api.ts';
import { geminiApi } from '../../src/protocol/llm/gemini/api.ts';
import { openaiApi } from '../../src/protocol/llm/openai/api.ts';
import { ALLOW, answerJson, denyNative, type RunningLlm, runLlm } from '../support/llm-route.ts';

/**
 * A model's answer can be had under more paths than one: with a line end behind it, which a framework's pattern does not see (`$` matches before the last
 * one, as in Starlette); as one of many requests in one (Google's `batchPath`); later, under a path of its own (xAI's deferred completions, Z.ai's
 * results); or from the same server as whoever hosts it calls it (`/invocations` of SageMaker, Databricks and vLLM, Vertex's endpoints).
 */
const DENIED = ALLOW + denyNative('shell');

const ANSWERS = {
  anthropic: {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'tool_use', id: 't', name: 'shell', input: { command: 'ls' } }],
  },
  openai: {
    choices: [
      { message: { tool_calls: [{ id: 'c', type: 'function', function: { name: 'shell', arguments: '{"command":"ls"}' } }] } },
    ],
  },
  gemini: { candidates: [{ content: { parts: [{ functionCall: { name: 'shell', args: { command: 'ls' } } }] } }] },
};

let llm: RunningLlm | undefined;
afterEach(async () => {
  await llm?.close();
  llm = undefined;
});

it.each([
  ['POST', '/v1/messages%0A', anthropicApi, ANSWERS.anthropic],
  ['POST', '/v1/chat/completions%0a', openaiApi, ANSWERS.openai],
  ['POST', '/v1/chat%20/completions;a%0Ab', openaiApi, ANSWERS.openai],
  ['PUT', '/v1/chat/completions', openaiApi, ANSWERS.openai],
  ['GET', '/v1/chat/deferred-completion/r-1', openaiApi, ANSWERS.openai],
  ['GET', '/api/paas/v4/async-result/t-1', openaiApi, ANSWERS.openai],
  ['POST', '/invocations', openaiApi, ANSWERS.openai],
  ['POST', '/v2/chat', openaiApi, ANSWERS.openai],
  ['POST', '/v1beta/models/m:generateContent%0A', geminiApi, ANSWERS.gemini],
  ['POST', '/batch', geminiApi, ANSWERS.gemini],
  ['POST', '/batch/generativelanguage/v1beta', geminiApi, ANSWERS.gemini],
  ['POST', '/v1/projects/p/locations/l/endpoints/1:predict', geminiApi, { predictions: ANSWERS.openai }],
  ['POST', '/v1/projects/p/locations/l/endpoints/1:directRawPredict', geminiApi, ANSWERS.openai],
])('%s %s gives no call that is denied', async (method, path, api, body) => {
  llm = await runLlm({ api, policy: DENIED, answer: (_asked, response) => answerJson(response, body) });
  const request = { model: 'm', messages: [], contents: [] };
  const answer = await fetch(llm.url + path, method === 'GET' ? {} : { method, body: JSON.stringify(request) });
  expect(await answer.text()).not.toContain('command');
  expect(answer.status).toBeLessThan(500);
});

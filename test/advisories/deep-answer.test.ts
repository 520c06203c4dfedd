import { gzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { geminiApi } from '../../src/protocol/llm/gemini/api.ts';
import { openaiApi } from '../../src/protocol/llm/openai/api.ts';
import { readUntilCut, type RunningLlm, runLlm } from '../support/llm-route.ts';

/**
 * A model's answer in which brackets stand in brackets, a hundred thousand deep, ran whoever looked for calls in it out of stack (as in
 * CVE-2025-52999): `JSON.parse` reads it, and a function that calls itself does not. What was thrown where a compressed stream was read ended the
 * process.
 */
const DEEP = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;

let llm: RunningLlm | undefined;
afterEach(async () => {
  await llm?.close();
  llm = undefined;
});

it.each([
  ['gemini, beside the candidates', geminiApi, '/v1beta/models/m:streamGenerateContent?alt=sse', `{"candidates":[],"x":${DEEP}}`],
  ['gemini, in a candidate', geminiApi, '/v1beta/models/m:streamGenerateContent?alt=sse', `{"candidates":[{"x":${DEEP}}]}`],
  ['openai, in a choice', openaiApi, '/v1/chat/completions', `{"choices":[{"index":0,"delta":{"x":${DEEP}}}]}`],
])('a stream that is nested too deeply ends with an error: %s', async (_where, api, path, payload) => {
  llm = await runLlm({
    api,
    answer: (_asked, response) => {
      const stream = gzipSync(`data: {"x":1}\n\ndata: ${payload}\n\n`);
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }).end(stream);
    },
  });
  const { text, isWhole } = await readUntilCut(await llm.post({}, {}, path));
  expect([isWhole, text]).toEqual([true, expect.stringContaining('nested too deeply')]);
});

it.each([
  ['gemini', geminiApi, '/v1beta/models/m:generateContent', `{"x":${DEEP}}`],
  ['openai', openaiApi, '/v1/chat/completions', `{"x":${DEEP}}`],
])('a whole answer that is nested too deeply is refused: %s', async (_name, api, path, body) => {
  llm = await runLlm({
    api,
    answer: (_asked, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(body),
  });
  const answer = await llm.post({}, {}, path);
  expect([answer.status, await answer.text()]).toEqual([502, expect.stringContaining('nested too deeply')]);
});

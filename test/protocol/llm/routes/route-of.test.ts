import { describe, expect, it } from 'vitest';
import type { ApiRoute } from '../../../../src/protocol/llm/model-api.ts';
import { MODEL_APIS } from '../../../../src/cli/serve/llm-routes.ts';
import { isResponsesPath, checkedRequests, routeOf } from '../../../../src/protocol/llm/routes/route-of.ts';

const VERTEX = '/v1/projects/p/locations/us-central1';

const ROUTES: Readonly<Record<string, readonly (readonly [string, string, ApiRoute])[]>> = {
  anthropic: [
    ['POST', '/v1/messages', 'answer'],
    ['POST', '/v1/messages?beta=true', 'answer'],
    ['POST', '/base/path/v1/messages', 'answer'],
    ['POST', '/v1/messages/', 'answer'],
    ['POST', '//v1//./messages', 'answer'],
    ['POST', '/v1/batches/../messages', 'answer'],
    ['POST', '/v1/%6dessages', 'answer'],
    ['POST', '/V1/Messages', 'answer'],
    ['POST', '/v1/messages;a=b', 'answer'],
    ['POST', '/v1%2Fmessages', 'answer'],
    ['POST', '\\v1\\messages', 'answer'],
    ['post', '/v1/messages', 'answer'],
    ['GET', '/v1/messages', 'answer'],
    ['POST', '/v1/messages/count_tokens', 'count'],
    ['POST', '/v1/messages/batches', 'batch'],
    ['POST', '/v1/messages/batches/', 'batch'],
    ['GET', '/v1/messages/batches?limit=2', 'batch_state'],
    ['GET', '/v1/messages/batches/msgbatch_1', 'batch_state'],
    ['POST', '/v1/messages/batches/msgbatch_1/cancel', 'batch_state'],
    ['DELETE', '/v1/messages/batches/msgbatch_1', 'other'],
    ['GET', '/v1/messages/batches/msgbatch_1/results', 'answer_lines'],
    ['POST', '/v1/complete', 'unguarded'],
    ['POST', '/v1/chat/completions', 'unguarded'],
    ['POST', '/v1/responses', 'unguarded'],
    ['POST', '/v1/projects/p/locations/l/publishers/anthropic/models/m@1:streamRawPredict', 'unguarded'],
    ['POST', '/v1/x/models/m:rawPredict', 'unguarded'],
    ['POST', '/v1beta/models/m:streamGenerateContent?alt=sse', 'unguarded'],
    ['POST', '/model/anthropic.m-v1:0/invoke-with-response-stream', 'unguarded'],
    ['POST', '/model/anthropic.m-v1:0/converse', 'unguarded'],
    ['GET', '/v1/sessions/sesn_1/events/stream?beta=true', 'unguarded'],
    ['GET', '/v1/sessions/sesn_1/events', 'unguarded'],
    ['POST', '/v1/sessions/sesn_1/events', 'unguarded'],
    ['GET', '/v1/sessions/sesn_1/threads/sthr_1/stream', 'unguarded'],
    ['GET', '/v1/sessions/sesn_1/threads/sthr_1/events', 'unguarded'],
    ['POST', '/v1/sessions', 'unguarded'],
    ['GET', '/v1/sessions/sesn_1', 'other'],
    ['GET', '/v1/responses/r', 'unguarded'],
    ['GET', '/v1/chat/completions/c', 'unguarded'],
    ['DELETE', '/v1/messages', 'answer'],
    ['DELETE', '/v1/messages/batches/b', 'other'],
    ['POST', '/api/claude_cli_feedback', 'other'],
    ['POST', '/api/eval/sdk-a', 'other'],
    ['POST', '/api/eval/v1/chat/completions', 'unguarded'],
    ['GET', '/v1/models', 'other'],
    ['POST', '/v1/messages/other', 'unguarded'],
    ['POST', '/v1/messagesx', 'unguarded'],
    ['POST', '/xv1/messages', 'answer'],
    ['POST', '/messages', 'answer'],
    ['POST', '/messages/batches', 'batch'],
    ['POST', '/v1/v1/messages', 'answer'],
    ['PUT', '/v1/messages', 'unguarded'],
    ['POST', '/api/event_logging/batch', 'other'],
    ['POST', '/api/chat', 'unguarded'],
    ['POST', '/', 'unguarded'],
    ['POST', '', 'unguarded'],
    ['GET', '', 'other'],
    ['POST', '/other?a=/v1/messages', 'unguarded'],
  ],
  openai: [
    ['WEBSOCKET', '/v1/responses', 'answer_frames'],
    ['WEBSOCKET', '/v1/responses/resp_1', 'unguarded'],
    ['WEBSOCKET', '/v1/responses/compact', 'unguarded'],
    ['WEBSOCKET', '/v1/realtime?model=m', 'unguarded'],
    ['WEBSOCKET', '/v1/chat/completions', 'unguarded'],
    ['POST', '/v1/chat/completions', 'answer'],
    ['post', '/chat/completions', 'answer'],
    ['POST', '/openai/deployments/gpt-x/chat/completions?api-version=2025-01-01', 'answer'],
    ['POST', '/openai/deployments/responses/chat/completions', 'answer'],
    ['POST', '/api/v1//chat/./completions/', 'answer'],
    ['POST', '/v1/Chat/%63ompletions;x=y', 'answer'],
    ['POST', '/v1/responses/../chat/completions', 'answer'],
    ['GET', '/v1/chat/completions', 'unguarded'],
    ['GET', '/v1/chat/completions/chatcmpl-1', 'unguarded'],
    ['GET', '/v1/chat/completions/chatcmpl-1/messages', 'unguarded'],
    ['POST', '/v1/chat/completions/chatcmpl-1', 'unguarded'],
    ['DELETE', '/v1/chat/completions/chatcmpl-1', 'other'],
    ['GET', '/v1/files/file-1/content', 'answer_lines'],
    ['GET', '/v1/files/file-1', 'other'],
    ['POST', '/v1/files', 'other'],
    ['POST', '/v1/batches', 'other'],
    ['GET', '/v1/batches/batch_1', 'other'],
    ['POST', '/v1/responses', 'answer'],
    ['POST', '/openai/v1/Responses/', 'answer'],
    ['POST', '/responses%0A', 'answer'],
    ['PUT', '/v1/responses', 'unguarded'],
    ['GET', '/v1/responses', 'unguarded'],
    ['POST', '/v1/responses/input_tokens', 'count'],
    ['GET', '/v1/responses/resp_1', 'stored_answer'],
    ['GET', '/v1/responses/resp_1?stream=true&starting_after=3', 'stored_answer'],
    ['POST', '/v1/responses/resp_1', 'unguarded'],
    ['POST', '/v1/responses/resp_1/cancel', 'stored_answer'],
    ['GET', '/v1/responses/resp_1/cancel', 'unguarded'],
    ['DELETE', '/v1/responses/resp_1', 'other'],
    ['GET', '/v1/responses/resp_1/input_items', 'unguarded'],
    ['POST', '/v1/responses/compact?beta=true', 'answer'],
    ['GET', '/v1/conversations/conv_1/items', 'unguarded'],
    ['POST', '/v1/threads/runs', 'unguarded'],
    ['GET', '/v1/threads/thread_1/runs/run_1/steps', 'unguarded'],
    ['POST', '/v1/assistants', 'unguarded'],
    ['GET', '/v1/realtime', 'unguarded'],
    ['POST', '/v1/realtime/calls', 'unguarded'],
    ['POST', '/v1/alpha/search', 'other'],
    ['POST', '/memories/trace_summarize', 'other'],
    ['POST', '/v1/alpha/agents', 'unguarded'],
    ['POST', '/v1/live/sessions', 'unguarded'],
    ['POST', '/v1/chatkit/sessions', 'unguarded'],
    ['POST', '/v1/agents', 'unguarded'],
    ['POST', '/v1/messages', 'unguarded'],
    ['POST', '/v1/messages/batches', 'unguarded'],
    ['GET', '/v1/messages/batches/b/results', 'unguarded'],
    ['POST', '/v1beta/models/m:streamGenerateContent?alt=sse', 'unguarded'],
    ['POST', '/v1/projects/p/models/m:rawPredict', 'unguarded'],
    ['POST', '/model/m/converse-stream', 'unguarded'],
    ['POST', '/api/chat', 'unguarded'],
    ['POST', '/v2/chat', 'unguarded'],
    ['PUT', '/v1/chat/completions', 'unguarded'],
    ['GET', '/v1/chat/deferred-completion/r-1', 'unguarded'],
    ['GET', '/api/paas/v4/async-result/t-1', 'unguarded'],
    ['POST', '/v1beta/interactions', 'unguarded'],
    ['POST', '/invocations', 'unguarded'],
    ['POST', '/serving-endpoints/m/invocations', 'unguarded'],
    ['POST', '/endpoints/m/invocations-response-stream', 'unguarded'],
    ['POST', '/v1/chat/completions%0A', 'answer'],
    ['POST', '/v1/completions', 'answer'],
    ['GET', '/v1/batches/b/results', 'unguarded'],
    ['GET', '/v1/batch/jobs/b?inline=true', 'unguarded'],
    ['POST', '/v1/embeddings', 'other'],
    ['GET', '/v1/models', 'other'],
    ['GET', '/v1/models/responses-x', 'other'],
  ],
  gemini: [
    ['POST', '/v1beta/models/gemini-3-pro:generateContent', 'answer'],
    ['POST', '/v1/models/gemini-3-pro:streamGenerateContent', 'answer'],
    ['POST', '/v1beta/tunedModels/mine:generateContent', 'answer'],
    ['POST', `${VERTEX}/publishers/google/models/gemini-3-pro:streamGenerateContent`, 'answer'],
    ['POST', `${VERTEX}/endpoints/123:streamGenerateContent`, 'answer'],
    ['POST', '/v1/publishers/google/models/gemini-3-pro:generateContent', 'answer'],
    ['POST', '/base/path/v1beta/models/x:generateContent', 'answer'],
    ['POST', '/v1beta/models/x%3AgenerateContent', 'answer'],
    ['POST', '//v1beta/./models/x:GENERATEcontent/', 'answer'],
    ['POST', '/v1beta/models/x:countTokens', 'count'],
    ['POST', '/v1beta/cachedContents', 'count'],
    ['POST', '/v1beta/models/x:batchGenerateContent', 'unguarded'],
    ['POST', '/v1beta/batches', 'unguarded'],
    ['POST', '/v1beta/batches/b-1', 'unguarded'],
    ['POST', '/v1beta/batches/b-1:cancel', 'unguarded'],
    ['POST', `${VERTEX}/batchPredictionJobs`, 'unguarded'],
    ['POST', '/batch', 'unguarded'],
    ['POST', '/batch/generativelanguage/v1beta', 'unguarded'],
    ['POST', '/download/v1beta/files/f:download', 'unguarded'],
    ['POST', '/v1beta/files/f:download', 'unguarded'],
    ['POST', '/v1beta/interactions', 'unguarded'],
    ['POST', '/v1beta/interactions/i-1', 'unguarded'],
    ['POST', '/v1alpha/interactions:create', 'unguarded'],
    ['POST', '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent', 'unguarded'],
    ['POST', '/google.ai.generativelanguage.v1beta.GenerativeService/StreamGenerateContent', 'unguarded'],
    ['POST', '/v1beta/openai/chat/completions', 'unguarded'],
    ['POST', `${VERTEX}/endpoints/openapi/chat/completions`, 'unguarded'],
    ['POST', '/v1beta/openai/models', 'unguarded'],
    ['POST', `${VERTEX}/publishers/anthropic/models/claude:streamRawPredict`, 'unguarded'],
    ['POST', `${VERTEX}/publishers/meta/models/llama:predict`, 'unguarded'],
    ['POST', `${VERTEX}/endpoints/1:rawPredict`, 'unguarded'],
    ['POST', `${VERTEX}/endpoints/1:directRawPredict`, 'unguarded'],
    ['POST', `${VERTEX}/endpoints/1:streamDirectRawPredict`, 'unguarded'],
    ['POST', `${VERTEX}/endpoints/1:directPredict`, 'unguarded'],
    ['POST', `${VERTEX}/endpoints/1:predict`, 'unguarded'],
    ['POST', `${VERTEX}/publishers/google/models/embedding:predict`, 'other'],
    ['POST', `${VERTEX}/reasoningEngines/1:streamQuery`, 'unguarded'],
    ['POST', '/v1internal:streamGenerateContent', 'unguarded'],
    ['POST', '/v1beta/somewhere/else:generateContent', 'unguarded'],
    ['GET', '/v1beta/models', 'other'],
    ['GET', '/v1beta/models/x', 'other'],
    ['POST', '/v1beta/models/x:embedContent', 'other'],
    ['POST', '/v1beta/models/x:batchEmbedContents', 'other'],
    ['POST', '/v1beta/models/x:predict', 'other'],
    ['POST', '/v1beta/cachedContents/c-1', 'other'],
    ['POST', '/upload/v1beta/files', 'other'],
    ['GET', '/v1beta/files/f', 'other'],
    ['POST', '/', 'unguarded'],
  ],
};

describe.each(Object.keys(ROUTES))('of %s', (dialect) => {
  it.each(ROUTES[dialect] ?? [])('%s %s is %s', (method, path, route) => {
    expect(routeOf(dialect, { method, base: '', path })).toBe(route);
  });
});

describe('what may pass without a look', () => {
  const passes = (dialect: string, method: string, path: string, base = ''): boolean =>
    routeOf(dialect, { method, base, path: base + path }) === 'other';

  it.each([
    'embeddings',
    'moderations',
    'rerank',
    'files',
    'uploads',
    'uploads/u/parts',
    'batches',
    'batches/b/cancel',
    'images/generations',
    'images/edits',
    'audio/speech',
    'audio/transcriptions',
    'videos',
    'videos/v/remix',
    'fine_tuning/jobs',
    'fine_tuning/jobs/j/cancel',
    'vector_stores',
    'vector_stores/v',
    'vector_stores/v/search',
    'vector_stores/v/files/f',
    'containers',
    'containers/c/files',
    'skills',
    'skills/s/versions',
  ])('is %s of an API that has such', (path) => {
    for (const dialect of ['anthropic', 'openai']) {
      for (const base of ['', '/v1', '/team%20a/x', '/openai/deployments/d', '/files']) {
        for (const version of ['', '/v1'])
          expect([base, version, passes(dialect, 'POST', `${version}/${path}`, base)]).toContain(true);
      }
    }
  });

  it.each([
    ['PATCH', '/v1beta/tunedModels/t', true],
    ['POST', '/v1beta/tunedModels/t:transferOwnership', true],
    ['POST', '/v1beta/fileSearchStores/s:importFile', true],
    ['POST', '/upload/v1beta/files?uploadType=resumable', true],
    ['PATCH', '/v1beta/cachedContents/c', true],
    ['POST', '/v1beta/models/imagen:predict', true],
    ['POST', '/v1beta/models/veo:predictLongRunning', true],
    ['POST', '/v1beta/models/veo:fetchPredictOperation', true],
    ['POST', `${VERTEX}/publishers/google/models/veo:fetchPredictOperation`, true],
    ['POST', `${VERTEX}/publishers/google/models/embedding:embedContent`, true],
    ['POST', `${VERTEX}/endpoints/1:fetchPredictOperation`, false],
  ])('of Gemini: %s %s %s', (method, path, may) => {
    expect(passes('gemini', method, path)).toBe(may);
  });

  it.each([
    'responses',
    'chat',
    'generate',
    'tunedModels/t:generateContent',
    'tunedModels/t:streamGenerateContent',
    'cachedContents/c:generateContent',
    'x',
    'files/responses',
    'v1/messages/embeddings',
    'messages/embeddings',
    'chat/completions/rerank',
    'x/moderations',
    'x/images/generations',
    'messages/audio/speech',
    'messages/models/m:embedContent',
    'messages/x:computeTokens',
    'vector_stores/v/responses',
    'skills/a/b/c',
    'evals',
    'evals/e/runs',
  ])('is not %s, and what a base URL says makes nothing else of it', (path) => {
    for (const { dialect } of MODEL_APIS) {
      for (const base of ['', '/v1', '/files', '/embeddings', '/v1/vector_stores', '/skills', '/models'])
        for (const method of ['POST', 'PUT', 'PATCH', 'QUERY', 'post'])
          expect([dialect, base, method, passes(dialect, method, `/${path}`, base)]).toContain(false);
    }
  });

  it('is what only reads, unless answers are read', () => {
    for (const { dialect } of MODEL_APIS) {
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE']) expect(passes(dialect, method, '/v1/anything')).toBe(true);
    }
  });

  it('paths that climb out of the base URL are taken for where they lead', () => {
    expect(passes('openai', 'POST', '/../../v1/embeddings', '/a/b')).toBe(true);
    expect(passes('openai', 'POST', '/../responses', '/files/x')).toBe(false);
  });
});

it('of each API it is told what is looked at', () => {
  for (const { dialect } of MODEL_APIS) expect(checkedRequests(dialect)).toMatch(/[/:]\w/);
});

it.each([
  ['/v1/responses', true],
  ['/openai/v1/Responses/?a=b', true],
  ['/responses/compact', true],
  ['/v1/responses/resp_1?stream=true', true],
  ['/v1/responses/resp_1/cancel', true],
  ['/v1/responses/resp_1/input_items', false],
  ['/v1/chat/completions', false],
  ['/openai/deployments/responses/chat/completions', false],
  ['/v1/models/responses-x', false],
])('%s is one of the Responses API: %s', (path, isOne) => {
  expect(isResponsesPath(path)).toBe(isOne);
});

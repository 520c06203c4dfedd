import { describe, expect, it } from 'vitest';
import { routeOf } from '../../../../src/protocol/llm/openai/routes.ts';

describe('a request', () => {
  it.each([
    ['POST', '/v1/chat/completions', 'answer'],
    ['post', '/chat/completions', 'answer'],
    // hazard 33: whatever the base path is.
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
    ['POST', '/v1/responses', 'unguarded'],
    ['GET', '/v1/responses/resp_1', 'unguarded'],
    ['GET', '/v1/responses/resp_1/input_items', 'unguarded'],
    ['POST', '/v1/responses/compact?beta=true', 'unguarded'],
    ['GET', '/v1/conversations/conv_1/items', 'unguarded'],
    ['POST', '/v1/threads/runs', 'unguarded'],
    ['GET', '/v1/threads/thread_1/runs/run_1/steps', 'unguarded'],
    ['POST', '/v1/assistants', 'unguarded'],
    ['GET', '/v1/realtime', 'unguarded'],
    ['POST', '/v1/realtime/calls', 'unguarded'],
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
    ['POST', '/v1/completions', 'other'],
    ['POST', '/v1/embeddings', 'other'],
    ['GET', '/v1/models', 'other'],
    ['GET', '/v1/models/responses-x', 'other'],
  ])('%s %s is %s', (method, path, route) => {
    expect(routeOf(method, path)).toBe(route);
  });
});

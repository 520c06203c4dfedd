import { describe, expect, it } from 'vitest';
import { isArrayStream, routeOf } from '../../../../src/protocol/llm/gemini/routes.ts';
import type { ApiRoute } from '../../../../src/protocol/llm/model-api.ts';

const VERTEX = '/v1/projects/p/locations/us-central1';

describe('a path of the Gemini API', () => {
  it.each<[string, ApiRoute]>([
    ['/v1beta/models/gemini-3-pro:generateContent', 'answer'],
    ['/v1/models/gemini-3-pro:streamGenerateContent', 'answer'],
    ['/v1beta/tunedModels/mine:generateContent', 'answer'],
    [`${VERTEX}/publishers/google/models/gemini-3-pro:streamGenerateContent`, 'answer'],
    [`${VERTEX}/endpoints/123:streamGenerateContent`, 'answer'],
    ['/v1/publishers/google/models/gemini-3-pro:generateContent', 'answer'],
    ['/base/path/v1beta/models/x:generateContent', 'answer'],
    ['/v1beta/models/x%3AgenerateContent', 'answer'],
    ['//v1beta/./models/x:GENERATEcontent/', 'answer'],
    ['/v1beta/models/x:countTokens', 'count'],
    ['/v1beta/cachedContents', 'count'],
    ['/v1beta/models/x:batchGenerateContent', 'unguarded'],
    ['/v1beta/batches', 'unguarded'],
    ['/v1beta/batches/b-1', 'unguarded'],
    ['/v1beta/batches/b-1:cancel', 'unguarded'],
    [`${VERTEX}/batchPredictionJobs`, 'unguarded'],
    ['/batch', 'unguarded'],
    ['/batch/generativelanguage/v1beta', 'unguarded'],
    ['/download/v1beta/files/f:download', 'unguarded'],
    ['/v1beta/files/f:download', 'unguarded'],
    ['/v1beta/interactions', 'unguarded'],
    ['/v1beta/interactions/i-1', 'unguarded'],
    ['/v1alpha/interactions:create', 'unguarded'],
    ['/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent', 'unguarded'],
    ['/google.ai.generativelanguage.v1beta.GenerativeService/StreamGenerateContent', 'unguarded'],
    ['/v1beta/openai/chat/completions', 'unguarded'],
    [`${VERTEX}/endpoints/openapi/chat/completions`, 'unguarded'],
    ['/v1beta/openai/models', 'unguarded'],
    [`${VERTEX}/publishers/anthropic/models/claude:streamRawPredict`, 'unguarded'],
    [`${VERTEX}/publishers/meta/models/llama:predict`, 'unguarded'],
    [`${VERTEX}/endpoints/1:rawPredict`, 'unguarded'],
    [`${VERTEX}/endpoints/1:directRawPredict`, 'unguarded'],
    [`${VERTEX}/endpoints/1:streamDirectRawPredict`, 'unguarded'],
    [`${VERTEX}/endpoints/1:directPredict`, 'unguarded'],
    [`${VERTEX}/endpoints/1:predict`, 'unguarded'],
    [`${VERTEX}/publishers/google/models/embedding:predict`, 'other'],
    [`${VERTEX}/reasoningEngines/1:streamQuery`, 'unguarded'],
    ['/v1internal:streamGenerateContent', 'unguarded'],
    ['/v1beta/somewhere/else:generateContent', 'unguarded'],
    ['/v1beta/models', 'other'],
    ['/v1beta/models/x', 'other'],
    ['/v1beta/models/x:embedContent', 'other'],
    ['/v1beta/models/x:batchEmbedContents', 'other'],
    ['/v1beta/models/x:predict', 'other'],
    ['/v1beta/cachedContents/c-1', 'other'],
    ['/upload/v1beta/files', 'other'],
    ['/v1beta/files/f', 'other'],
    ['/', 'other'],
  ])('%s is for %s', (path, route) => {
    expect(routeOf(path)).toBe(route);
  });

  it.each([
    ['/v1/models/x:streamGenerateContent', true],
    ['/v1/models/x:STREAMgenerateContent/', true],
    ['/v1/models/x:generateContent', false],
  ])('%s may stream an array: %s', (path, may) => {
    expect(isArrayStream(path)).toBe(may);
  });
});

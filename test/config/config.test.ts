import { expect, it } from 'vitest';
import { LLM_DIALECTS } from '../../src/config/config.ts';
import { readLlmUrl } from '../../src/config/read-llm-providers.ts';
import { MODEL_APIS } from '../../src/cli/serve/llm-routes.ts';

it('every dialect that can be configured is an API that can be guarded, and the other way round', () => {
  expect(LLM_DIALECTS.map(({ dialect }) => dialect).toSorted()).toEqual(MODEL_APIS.map(({ dialect }) => dialect).toSorted());
});

it.each(LLM_DIALECTS)('$url of $dialect is a base URL', ({ url }) => {
  expect(readLlmUrl(url)).toEqual({ ok: true, url });
});

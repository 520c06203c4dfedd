import { expect, it } from 'vitest';
import { MODEL_APIS } from '../../../src/cli/serve/llm-routes.ts';

it('are told apart by their dialects', () => {
  const dialects = MODEL_APIS.map(({ dialect }) => dialect);
  expect(new Set(dialects).size).toBe(dialects.length);
  expect(dialects).toContain('anthropic');
});

it.each(MODEL_APIS)('$dialect: an error is JSON that says what is wrong', ({ errorBody }) => {
  for (const kind of ['request', 'server'] as const) {
    expect(JSON.stringify(JSON.parse(errorBody('it is "odd"', kind)))).toContain(String.raw`it is \"odd\"`);
  }
});

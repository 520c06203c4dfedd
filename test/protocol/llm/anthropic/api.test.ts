import { describe, expect, it } from 'vitest';
import { anthropicApi } from '../../../../src/protocol/llm/anthropic/api.ts';
import type { DeniedTools } from '../../../../src/protocol/llm/model-api.ts';

const SEARCH = '{"type":"web_search_20250305","name":"web_search"}';
const MESSAGE = '{"content":[{"type":"tool_use","id":"t","name":"read","input":{}}],"stop_reason":"tool_use"}';
const LINE = `{"custom_id":"a","result":{"type":"succeeded","message":${MESSAGE}}}`;
const DENIED: DeniedTools = { providerTools: new Set(['web_search']), mcpServers: new Set(), mcpTools: new Map() };

describe("Anthropic's API", () => {
  it.each(['body', 'batch'] as const)('finds and takes out what the provider runs: %s', (place) => {
    const wrap = (tools: string) =>
      place === 'body' ? `{"tools":[${tools}]}` : `{"requests":[{"params":{"tools":[${tools}]}}]}`;
    const read = anthropicApi.readRequest(wrap(SEARCH), place);
    expect(typeof read === 'string' ? read : read.tools.map((tool) => anthropicApi.isRunByProvider(tool))).toEqual([true]);
    expect(anthropicApi.editRequest(wrap(SEARCH), DENIED, place)).toBe(wrap(''));
    expect(anthropicApi.readRequest('[]', place)).toBeTypeOf('string');
  });

  it.each([
    ['body', MESSAGE],
    ['line', LINE],
  ] as const)('finds calls and puts notes in their place: %s', (place, text) => {
    expect(anthropicApi.findCalls(text, place)).toMatchObject([{ name: 'read' }]);
    const rewritten = anthropicApi.rewrite(text, [{ isAllowed: false, note: 'No.' }], place);
    expect(rewritten).toContain('{"type":"text","text":"No."}');
    expect(rewritten).not.toContain('tool_use');
  });

  it('has errors as its clients read them', () => {
    expect(JSON.parse(anthropicApi.errorBody('odd', 'request'))).toEqual({
      type: 'error',
      error: { type: 'invalid_request_error', message: 'odd' },
    });
    expect(JSON.parse(anthropicApi.errorBody('odd', 'server'))).toMatchObject({ error: { type: 'api_error' } });
  });
});

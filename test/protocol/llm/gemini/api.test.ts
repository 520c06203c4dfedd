import { describe, expect, it } from 'vitest';
import { geminiApi } from '../../../../src/protocol/llm/gemini/api.ts';
import { formatNote } from '../../../../src/protocol/llm/note.ts';
import type { DeniedTools } from '../../../../src/protocol/llm/model-api.ts';
import { call, payload } from '../../../support/gemini-events.ts';

const DENIED: DeniedTools = { providerTools: new Set(['googleSearch']), mcpServers: new Set(), mcpTools: new Map() };

describe("Gemini's API", () => {
  it.each([
    ['/v1/models/x:streamGenerateContent', true],
    ['/v1/models/x:STREAMgenerateContent/', true],
    ['/v1/models/x:generateContent', false],
  ])('%s may stream an array: %s', (path, may) => {
    expect(geminiApi.isArrayStream?.(path)).toBe(may);
  });

  it('finds and takes out what the provider runs', () => {
    const text = '{"tools":[{"google_search":{}}]}';
    const read = geminiApi.readRequest(text, 'body');
    expect(typeof read === 'string' ? read : read.tools.map((tool) => geminiApi.isRunByProvider(tool))).toEqual([true]);
    expect(geminiApi.editRequest(text, DENIED, 'body')).toBe('{"tools":[]}');
  });

  it('finds calls, puts notes in their place, and the calls back', () => {
    const text = JSON.stringify(payload([call('read', {})]));
    const found = geminiApi.findCalls(text, 'body');
    const [one] = typeof found === 'string' ? [] : found;
    const note = formatNote('No.', 'x'.repeat(16));
    const { candidates } = JSON.parse(geminiApi.rewrite(text, [{ isAllowed: false, note }], 'body')) as {
      candidates: [{ content: object }];
    };
    expect(candidates[0].content).toEqual({ role: 'model', parts: [{ text: note }] });
    const denied = { id: '', name: 'read', text: one?.inHistory?.() ?? '', note };
    const notedIn = (said: string) => (said === note ? [{ call: denied, start: 0, end: note.length }] : []);
    const history = JSON.stringify({ contents: [candidates[0].content] });
    expect(
      JSON.parse(
        geminiApi.restore(history, { notedIn, ofAnswer: () => [], ofMark: () => undefined, isDenied: () => false }, 'body'),
      ),
    ).toEqual({
      contents: [
        { role: 'model', parts: [call('read', {})] },
        { role: 'user', parts: [{ functionResponse: { name: 'read', response: { error: 'No.' } } }] },
      ],
    });
  });

  it('leads clients nowhere', () => {
    expect(geminiApi.moveResults('{"a":"https://x.example/v1"}', 'http://127.0.0.1')).toBe('{"a":"https://x.example/v1"}');
  });

  it('has errors as its clients read them', () => {
    expect(JSON.parse(geminiApi.errorBody('odd', 'request'))).toEqual({
      error: { code: 400, message: 'odd', status: 'INVALID_ARGUMENT' },
    });
  });
});

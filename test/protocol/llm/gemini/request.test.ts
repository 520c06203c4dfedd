import { describe, expect, it } from 'vitest';
import { readRequest } from '../../../../src/protocol/llm/gemini/request.ts';
import type { AnswerRequest } from '../../../../src/protocol/llm/model-api.ts';

function read(body: unknown): AnswerRequest {
  const request = readRequest(typeof body === 'string' ? body : JSON.stringify(body));
  if (typeof request === 'string') throw new Error(request);
  return request;
}

describe('a request', () => {
  it('offers functions and tools of the provider', () => {
    const tools = [
      { functionDeclarations: [{ name: 'read', parameters: { Tools: 1 } }, { name: 'write' }] },
      { function_declarations: { name: 'one' }, googleSearch: {}, url_context: {} },
      { code_execution: {}, computerUse: { environment: 'BROWSER' }, somethingNew: null },
      'odd',
    ];
    const offered = read({ contents: [], tools }).tools;
    expect(offered.map(({ definition }) => definition)).toEqual([
      '{"name":"read","parameters":{"Tools":1}}',
      '{"name":"write"}',
      '{"name":"one"}',
      ...Array.from({ length: 5 }, () => undefined),
    ]);
    expect(offered).toMatchObject(
      [
        ['read', 'function'],
        ['write', 'function'],
        ['one', 'function'],
        ['googleSearch', 'googleSearch'],
        ['urlContext', 'urlContext'],
        ['codeExecution', 'codeExecution'],
        ['computerUse', 'computerUse'],
        ['somethingNew', 'somethingNew'],
      ].map(([name, type]) => ({ name, type, group: undefined })),
    );
  });

  it('may have one object for a list of one, and be part of a request to count', () => {
    const inner = {
      tools: { functionDeclarations: { name: 'a' } },
      contents: { parts: { functionResponse: { id: '1', response: {} } } },
    };
    const expected = { tools: [{ name: 'a', type: 'function' }], results: [{ id: '1' }] };
    expect(read(inner)).toMatchObject(expected);
    expect(read({ generate_content_request: inner })).toMatchObject(expected);
  });

  it('names MCP servers that the provider calls, without what may be a secret', () => {
    const server = {
      name: 'gh',
      streamable_http_transport: { url: 'https://me:pw@mcp.example/a?key=k#f', headers: { authorization: 'x' } },
    };
    const request = read({ tools: [{ mcpServers: [server, { name: 'other' }] }] });
    expect(request.mcpServers).toEqual([
      { name: 'gh', url: 'https://mcp.example/a', allowed: [] },
      { name: 'other', url: '', allowed: [] },
    ]);
    expect(request.tools).toEqual([]);
  });

  it('says what calls came to', () => {
    const parts = [
      { functionResponse: { id: '1', name: 'a', response: { output: 1 } } },
      { function_response: { id: '2', name: 'a', response: { error: 'no' } } },
      { functionResponse: { name: 'a', response: {} } },
      { text: 'x' },
    ];
    const { results, previousAnswer } = read({
      contents: [{ role: 'user', parts }, { role: 'model', parts: [{ text: 'y' }] }, {}],
    });
    expect(results).toEqual([{ id: '1' }, { id: '2' }]);
    expect(previousAnswer).toBeUndefined();
  });

  it.each<[string, RegExp]>([
    ['x', /not JSON/],
    ['[]', /no object/],
    ['{"tools":[],"tools":[]}', /a key occurs twice/],
    [`{"a":${'['.repeat(200)}${']'.repeat(200)}}`, /nested too deeply/],
    ['{"Tools":[]}', /some readers take for another/],
    ['{"contents":[{"Parts":[]}]}', /some readers take for another/],
    ['{"tools":[{"functionDeclarations":[],"function_declarations":[]}]}', /some readers take for another/],
    ['{"tools":[{"urlContext":{},"url_context":{}}]}', /some readers take for another/],
    ['{"tools":[{"functionDeclarations":[{"Name":"a"}]}]}', /some readers take for another/],
    ['{"tools":[{"GoogleSearch":{}}]}', /some readers take for another/],
    ['{"contents":[{"parts":[{"functionresponse":{}}]}]}', /some readers take for another/],
    ['{"generateContentRequest":{"TOOLS":[]}}', /some readers take for another/],
  ])('%s is refused', (body, problem) => {
    expect(readRequest(body)).toMatch(problem);
  });
});

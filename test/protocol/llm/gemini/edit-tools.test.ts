import { describe, expect, it } from 'vitest';
import { editTools } from '../../../../src/protocol/llm/gemini/edit-tools.ts';
import type { DeniedTools } from '../../../../src/protocol/llm/model-api.ts';

const DENIED: DeniedTools = {
  providerTools: new Set(['googleSearch', 'urlContext', 'read']),
  mcpServers: new Set(['bad']),
  mcpTools: new Map([['partly', new Set(['x'])]]),
};

describe('what is denied is taken out of a request', () => {
  it.each([
    ['{ "tools": [ {"googleSearch": {}} , {"codeExecution":{}} ], "a": 1.0 }', '{ "tools": [ {"codeExecution":{}} ], "a": 1.0 }'],
    ['{"tools":[{"codeExecution":{}},{"url_context":{}}]}', '{"tools":[{"codeExecution":{}}]}'],
    ['{"tools":[{"google_search":{}}]}', '{"tools":[]}'],
    ['{"tools":{"google_search":{}}}', '{"tools":[]}'],
    [
      '{"tools":[{"googleSearch":{},"functionDeclarations":[ {"name":"read"} ]}]}',
      '{"tools":[{"functionDeclarations":[ {"name":"read"} ]}]}',
    ],
    [
      '{"tools":[{"mcpServers":[{"name":"bad"},{"name":"good"},{"name":"partly"}]}]}',
      '{"tools":[{"mcpServers":[{"name":"good"}]}]}',
    ],
    ['{"tools":[{"mcp_servers":{"name":"bad"},"computerUse":{}}]}', '{"tools":[{"computerUse":{}}]}'],
    ['{"generateContentRequest":{"tools":[{"googleSearch":{}}]}}', '{"generateContentRequest":{"tools":[]}}'],
  ])('%s', (text, edited) => {
    expect(editTools(text, DENIED)).toBe(edited);
  });

  it.each([
    '{"contents":[{"parts":[{"text":"googleSearch"}]}]}',
    '{"tools":[{"codeExecution":{}},{"functionDeclarations":[{"name":"googleSearch"}]},{"mcpServers":[{"name":"good"}]}]}',
    '{"tools":"odd"}',
  ])('and nothing of %s', (text) => {
    expect(editTools(text, DENIED)).toBe(text);
  });
});

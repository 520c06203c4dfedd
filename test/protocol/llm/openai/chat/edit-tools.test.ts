import { describe, expect, it } from 'vitest';
import type { DeniedTools } from '../../../../../src/protocol/llm/model-api.ts';
import { editTools } from '../../../../../src/protocol/llm/openai/chat/edit-tools.ts';

const NONE: DeniedTools = { providerTools: new Set(), mcpServers: new Set(), mcpTools: new Map() };
const READ = '{"type":"function","function":{"name":"read"}}';
const SERVER = '{"type":"mcp", "server_label":"s", "allowed_tools" : [ "a", "b" ,"c"]}';
const denied = (part: Partial<DeniedTools>): DeniedTools => ({ ...NONE, ...part });

describe('what is denied', () => {
  it.each<[string, string, Partial<DeniedTools>, string]>([
    ['nothing', '{ "tools":[] ,"web_search_options" : {}}', {}, '{ "tools":[] ,"web_search_options" : {}}'],
    ['the search', '{ "web_search_options" : {} ,"n":1.0}', { providerTools: new Set(['web_search']) }, '{"n":1.0}'],
    [
      'the search of others',
      '{"n":1.0, "search_parameters":{"mode":"on"}}',
      { providerTools: new Set(['web_search']) },
      '{"n":1.0}',
    ],
    [
      'a tool of the provider',
      `{"tools":[${READ}, {"type":"browser_search"}]}`,
      { providerTools: new Set(['browser_search', 'read']) },
      `{"tools":[${READ}]}`,
    ],
    [
      'the only tool',
      '{"a":1,"tools":[{"type":"browser_search"}],"b":2}',
      { providerTools: new Set(['browser_search']) },
      '{"a":1,"b":2}',
    ],
    ['a server', `{"tools":[${SERVER},${READ}]}`, { mcpServers: new Set(['s']) }, `{"tools":[${READ}]}`],
    [
      'tools of a server',
      `{"tools":[${SERVER}]}`,
      { mcpTools: new Map([['s', new Set(['b', 'x'])]]) },
      `{"tools":[${SERVER.replace(', "b"', '')}]}`,
    ],
    [
      'tools in a filter',
      '{"tools":[{"type":"mcp","server_label":"s","allowed_tools":{"tool_names":["a","b"]}}]}',
      { mcpTools: new Map([['s', new Set(['a'])]]) },
      '{"tools":[{"type":"mcp","server_label":"s","allowed_tools":{"tool_names":["b"]}}]}',
    ],
    [
      'tools of a server without a list',
      `{"tools":[${READ},{"type":"mcp","server_label":"s"}]}`,
      { mcpTools: new Map([['s', new Set(['a'])]]) },
      `{"tools":[${READ}]}`,
    ],
    ['of another server', `{"tools":[${SERVER}]}`, { mcpTools: new Map([['t', new Set(['a'])]]) }, `{"tools":[${SERVER}]}`],
  ])('is taken out: %s', (_what, text, part, left) => {
    expect(editTools(text, denied(part))).toBe(left);
  });
});

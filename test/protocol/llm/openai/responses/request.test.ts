import { describe, expect, it } from 'vitest';
import { isProviderTool, readResponsesRequest } from '../../../../../src/protocol/llm/openai/responses/request.ts';

const read = (body: object) => {
  const asked = readResponsesRequest(JSON.stringify(body));
  if (typeof asked === 'string') throw new Error(asked);
  return asked;
};
const FUNCTION = { type: 'function', name: 'read', parameters: { type: 'object' } };

describe('a request for a response', () => {
  it.each<[string, object, readonly object[]]>([
    ['a function', FUNCTION, [{ name: 'read', type: 'function', group: undefined, definition: JSON.stringify(FUNCTION) }]],
    ['a custom tool', { type: 'custom', name: 'run' }, [{ name: 'run', type: 'custom' }]],
    [
      'a namespace',
      { type: 'namespace', name: 'mcp__github', tools: [FUNCTION, { type: 'custom', name: 'run' }] },
      [
        { name: 'read', group: 'mcp__github', definition: JSON.stringify(FUNCTION) },
        { name: 'run', group: 'mcp__github', type: 'custom' },
      ],
    ],
    ['a versioned search', { type: 'web_search_preview_2025_03_11' }, [{ name: 'web_search' }]],
    ['a shell', { type: 'shell', environment: { type: 'local' } }, [{ name: 'shell', type: 'shell' }]],
    [
      'a shell in a container',
      { type: 'shell', environment: { type: 'container_auto' } },
      [{ name: 'shell', type: 'container_shell' }],
    ],
    ['a computer', { type: 'computer_use_preview' }, [{ name: 'computer' }]],
    ['a search of the client', { type: 'tool_search', execution: 'client' }, [{ name: 'tool_search', type: 'function' }]],
  ])('offers %s', (_what, tool, offered) => {
    expect(read({ tools: [tool] }).tools).toMatchObject(offered);
    expect(read({ input: [{ type: 'additional_tools', role: 'developer', tools: [tool] }] }).tools).toMatchObject(offered);
  });

  it.each([
    ['function', false],
    ['custom', false],
    ['namespace', false],
    ['shell', false],
    ['local_shell', false],
    ['apply_patch', false],
    ['computer_use_preview', false],
    ['container_shell', true],
    ['web_search', true],
    ['code_interpreter', true],
    ['file_search', true],
    ['image_generation', true],
    ['tool_search', true],
    ['something_new', true],
  ])('a tool of the type %s is run by the provider: %s', (type, isProviders) => {
    expect(isProviderTool({ type })).toBe(isProviders);
  });

  it('names servers without their secrets', () => {
    const server = { type: 'mcp', server_label: 'github', server_url: 'https://u:p@gh.example/mcp?key=1', authorization: 't' };
    const connector = {
      type: 'mcp',
      server_label: 'mail',
      connector_id: 'connector_gmail',
      allowed_tools: { tool_names: ['a'] },
    };
    expect(read({ tools: [server, connector] })).toMatchObject({
      tools: [],
      mcpServers: [
        { name: 'github', url: 'https://gh.example/mcp', allowed: [] },
        { name: 'mail', url: 'connector_gmail', allowed: ['a'] },
      ],
    });
  });

  it('has results of calls of all types, and consent to calls of the provider', () => {
    const input = [
      { role: 'user', content: 'Do it.' },
      { type: 'function_call', call_id: 'a', name: 'read', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: 'x' },
      { type: 'custom_tool_call_output', call_id: 'b', output: 'x' },
      { type: 'shell_call_output', call_id: 'c', output: [] },
      { type: 'local_shell_call_output', id: 'd', output: '' },
      { type: 'apply_patch_call_output', call_id: 'e', status: 'completed' },
      { type: 'computer_call_output', call_id: 'f', output: {} },
      { type: 'mcp_approval_response', approval_request_id: 'g', approve: true },
      { type: 'mcp_approval_response', approval_request_id: 'h', approve: false },
    ];
    expect(read({ input }).results).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => ({ id })));
  });

  it.each<[object, string | undefined, boolean]>([
    [{ input: 'x' }, undefined, false],
    [{ previous_response_id: null, conversation: null }, undefined, false],
    [{ previous_response_id: 'resp_1' }, 'resp_1', false],
    [{ conversation: 'conv_1' }, 'conv_1', true],
    [{ conversation: { id: 'conv_1' } }, 'conv_1', true],
  ])('%j continues %s', (body, previousAnswer, isConversation) => {
    expect(read(body)).toMatchObject({ previousAnswer, isConversation });
    expect(Object.hasOwn(read(body), 'previousAnswer')).toBe(true);
  });

  it.each<[string, string, string]>([
    ['no JSON', '{', 'not JSON'],
    ['a key twice', '{"input":"a","input":"b"}', 'a key occurs twice'],
    ['tools that are no list', '{"tools":{}}', 'tools that are no list'],
    ['added tools that are no list', '{"input":[{"type":"additional_tools","tools":{}}]}', 'tools that are no list'],
    ['an odd input', '{"input":{}}', 'an input that cannot be read'],
    ['an odd conversation', '{"conversation":{"id":1}}', 'continues what cannot be read'],
    ['a key in other letters', '{"Tools":[]}', 'a key that some readers'],
    ['one of a tool', '{"tools":[{"type":"mcp","Server_Label":"x"}]}', 'a key that some readers'],
    ['one in a namespace', '{"tools":[{"type":"namespace","tools":[{"Name":"x"}]}]}', 'a key that some readers'],
    ['one of an item', '{"input":[{"Type":"function_call_output"}]}', 'a key that some readers'],
  ])('is refused with %s', (_what, text, why) => {
    expect(readResponsesRequest(text)).toContain(why);
  });
});

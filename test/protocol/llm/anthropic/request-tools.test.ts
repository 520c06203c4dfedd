import { expect, it } from 'vitest';
import { addedTool, readTools } from '../../../../src/protocol/llm/anthropic/request-tools.ts';

const read = (text: string) => readTools(text, { start: 0, end: text.length });

it.each<[string, ReturnType<typeof readTools>]>([
  ['{"name":"a"}', [{ name: 'a', type: 'custom', definition: '{"name":"a"}', group: undefined }]],
  [
    '{ "name" : "a", "cache_control": {"x":1}, "n": 1.0, "defer_loading":true }',
    [{ name: 'a', type: 'custom', definition: '{"name":"a","n":1.0}', group: undefined }],
  ],
  [
    '{"type":"computer_toolset_20260801"}',
    [
      {
        name: '',
        type: 'computer_toolset_20260801',
        definition: '{"type":"computer_toolset_20260801"}',
        group: 'computer',
      },
    ],
  ],
  [
    '{"type":"mcp_toolset","mcp_server_name":"s","tools":[{"name":"a"}]}',
    [{ name: 'a', type: 'mcp', definition: '{"name":"a"}', group: 's' }],
  ],
  ['{"type":"mcp_toolset","mcp_server_name":"s","tools":[]}', []],
  ['1', []],
])('%s', (text, tools) => {
  expect(read(text)).toEqual(tools);
});

it('a block that adds a tool says where its definition is', () => {
  const text = '{"type":"tool_addition","tool":{"type":"tool_definition","definition": {"name":"a"}}}';
  const span = addedTool(text, { start: 0, end: text.length });
  expect(text.slice(span?.start, span?.end)).toBe('{"name":"a"}');
  for (const other of [
    '{"type":"text","tool":{"definition":{}}}',
    '{"type":"tool_addition"}',
    '{"type":"tool_addition","tool":{"type":"tool_reference"}}',
    '1',
  ])
    expect(addedTool(other, { start: 0, end: other.length })).toBeUndefined();
});

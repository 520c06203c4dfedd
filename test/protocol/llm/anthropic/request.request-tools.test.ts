import { expect, it } from 'vitest';
import { addedTools, readTools } from '../../../../src/protocol/llm/anthropic/request.ts';

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

it('a message that adds tools says where their definitions are, also in what sums it up', () => {
  const add = (definition: string) =>
    `{"type":"tool\\u005faddition","tool":{"type":"tool_definition","definition": ${definition}}}`;
  const summed = `{"type":"compaction","tool_changes":[{"type":"tool_removal"},${add('{"name":"b"}')}]}`;
  const others = [
    '{"type":"text","tool":{"definition":{}}}',
    '{"type":"tool_addition"}',
    '{"type":"tool_addition","tool":{}}',
    '1',
  ];
  const text = `[{"content":"a"},{"content":[${[add('{"name":"a"}'), ...others, summed].join()}]},{}]`;
  const found = addedTools(text, { start: 0, end: text.length });
  expect(found.map(({ definition, changes }) => [text.slice(definition.start, definition.end), changes?.length])).toEqual([
    ['{"name":"a"}', undefined],
    ['{"name":"b"}', 2],
  ]);
  expect(addedTools(text, undefined)).toEqual([]);
});

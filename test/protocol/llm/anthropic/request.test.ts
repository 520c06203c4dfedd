import { describe, expect, it } from 'vitest';
import { readRequest } from '../../../../src/protocol/llm/anthropic/request.ts';
import type { AnswerRequest } from '../../../../src/protocol/llm/model-api.ts';

const EMPTY: AnswerRequest = {
  tools: [],
  mcpServers: [],
  results: [],
  previousAnswer: undefined,
};
const read = (text: string) => readRequest(text) as AnswerRequest;
const body = (members: object) => JSON.stringify({ model: 'm-1', messages: [], ...members });

describe('a request', () => {
  it('may offer nothing', () => {
    expect(readRequest('{}')).toEqual({ ...EMPTY, said: {} });
    expect(readRequest(body({ stream: true }))).toEqual({ ...EMPTY, said: { messages: [] } });
  });

  it('offers tools, whose definitions are the same from turn to turn', () => {
    const tool = (more: string) => `{"tools": [{ "name": "read", ${more}"input_schema": {"a": 1.0}, "description": "é" }]}`;
    const definition = '{"name":"read","input_schema":{"a": 1.0},"description":"é"}';
    expect(read(tool('')).tools).toEqual([{ name: 'read', type: 'custom', definition, group: undefined }]);
    const marked = tool('"cache_control": {"type": "ephemeral"}, "defer_loading": true, ');
    expect(read(marked).tools).toEqual([{ name: 'read', type: 'custom', definition, group: undefined }]);
  });

  it("offers the provider's tools, toolsets, and MCP servers as far as they are listed", () => {
    const tools = [
      { type: 'web_search_20260318', name: 'web_search' },
      { type: 'browser_toolset_20260801', configs: {} },
      { type: 'mcp_toolset', mcp_server_name: 'ex' },
      { type: 'mcp_toolset', mcp_server_name: 'why', tools: [{ name: 'echo', input_schema: {} }] },
      'odd',
    ];
    expect(read(body({ tools })).tools.map(({ name, type, group }) => [name, type, group])).toEqual([
      ['web_search', 'web_search_20260318', undefined],
      ['', 'browser_toolset_20260801', 'browser'],
      ['', 'mcp_toolset', 'ex'],
      ['echo', 'mcp', 'why'],
    ]);
  });

  it('adds tools on the way', () => {
    const definition = { name: 'late', input_schema: {} };
    const content = [
      { type: 'tool_addition', tool: { type: 'tool_definition', definition } },
      { type: 'tool_addition', tool: { type: 'tool_reference', name: 'early' } },
      { type: 'text', text: 'tool_addition' },
    ];
    const { tools } = read(
      body({
        messages: [
          { role: 'user', content: 'hi' },
          { role: 'system', content },
        ],
      }),
    );
    expect(tools.map(({ name, definition: source }) => [name, source])).toEqual([['late', JSON.stringify(definition)]]);
  });

  it('names MCP servers, and keeps no secret of them', () => {
    const mcp_servers = [
      { name: 'ex', type: 'url', url: 'https://me:hush@ex.org/mcp?key=hush#hush', authorization_token: 'hush' },
    ];
    const request = read(body({ mcp_servers }));
    expect(request.mcpServers).toEqual([{ name: 'ex', url: 'https://ex.org/mcp', allowed: [] }]);
    expect(JSON.stringify(request)).not.toContain('hush');
  });

  it('names the tools that a server is restricted to, and those that a toolset configures', () => {
    const mcp_servers = [
      { name: 'old', url: '', tool_configuration: { allowed_tools: ['a', 7, 'b'] } },
      { name: 'odd', url: '', tool_configuration: { allowed_tools: 'a' } },
      { name: 'ex', url: '' },
    ];
    const tools = [{ type: 'mcp_toolset', mcp_server_name: 'ex', configs: { c: { enabled: true }, d: {} } }];
    const request = read(body({ mcp_servers, tools }));
    expect(request.mcpServers.map(({ allowed }) => allowed)).toEqual([['a', 'b'], [], []]);
    expect(request.tools.map(({ name, group }) => [group, name])).toEqual([
      ['ex', ''],
      ['ex', 'c'],
      ['ex', 'd'],
    ]);
  });

  it('tells what calls came to', () => {
    const content = [
      { type: 'tool_result', tool_use_id: 'tA', content: 'x' },
      { type: 'text', text: 'x' },
      { type: 'tool_result', tool_use_id: 'tB', is_error: true },
    ];
    expect(
      read(
        body({
          messages: [
            { role: 'user', content: 'x' },
            { role: 'user', content },
          ],
        }),
      ).results,
    ).toEqual([{ id: 'tA' }, { id: 'tB' }]);
  });

  it('may be part of a thread', () => {
    expect(read(body({ thread: { type: 'create' } }))).toMatchObject({ previousAnswer: undefined });
    const thread = { type: 'continue', previous_message_id: 'msg_1' };
    expect(read(body({ thread }))).toMatchObject({ previousAnswer: 'msg_1' });
  });

  it.each<[string, string]>([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['tools twice', '{"tools":[],"tools":[]}'],
    ['a name of a tool twice', '{"tools":[{"name":"a","name":"b"}]}'],
    ['tools in other letters', '{"Tools":[]}'],
    ['too much nesting', `{"a":${'['.repeat(200)}${']'.repeat(200)}}`],
  ])('can not be told of what has %s', (_what, text) => {
    expect(readRequest(text)).toBeTypeOf('string');
  });

  it('has as many results as there are', () => {
    const messages = Array.from({ length: 20_000 }, (_, at) => ({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `t${at}`, content: '"\\'.repeat(50) }],
    }));
    const text = body({ messages, note: 'tool_addition' });
    expect(read(text).results).toHaveLength(20_000);
  });
});

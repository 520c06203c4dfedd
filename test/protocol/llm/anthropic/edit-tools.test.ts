import { describe, expect, it } from 'vitest';
import { editTools } from '../../../../src/protocol/llm/anthropic/edit-tools.ts';
import type { DeniedTools } from '../../../../src/protocol/llm/model-api.ts';

const SEARCH = '{"type": "web_search_20260318", "name": "web_search"}';
const BASH = '{"type":"bash_20250124","name":"bash"}';
const CUSTOM = '{ "name": "web_search", "input_schema": {} }';
const SET = '{"type":"mcp_toolset","mcp_server_name":"ex"}';
const SERVER = '{"type":"url","name":"ex","url":"https://ex.org/","authorization_token":"t"}';
const OTHER = '{"type":"url","name":"why","url":"https://why.org/"}';
const body = (tools: string, servers = '') => `{ "model":"m", "tools": [ ${tools} ],\n"mcp_servers":[${servers}], "n": 1.0 }`;

function edit(
  text: string,
  { tools = [], servers = [], of = {} }: { tools?: string[]; servers?: string[]; of?: Record<string, string[]> },
): string {
  const denied: DeniedTools = {
    providerTools: new Set(tools),
    mcpServers: new Set(servers),
    mcpTools: new Map(Object.entries(of).map(([server, names]) => [server, new Set(names)])),
  };
  return editTools(text, denied);
}

describe('what is denied', () => {
  it('is nothing: the request is as it was', () => {
    const text = body(`${SEARCH},${SET}`, SERVER);
    expect(edit(text, {})).toBe(text);
    expect(edit(text, { tools: ['web_fetch'], servers: ['why'], of: { why: ['a'] } })).toBe(text);
    expect(edit('{"model":"m"}', { tools: ['a'] })).toBe('{"model":"m"}');
  });

  it("is a tool of the provider's: it goes, and one of the client's of the same name stays", () => {
    expect(edit(body(`${SEARCH}, ${CUSTOM}`), { tools: ['web_search'] })).toBe(body(CUSTOM));
    expect(edit(body(`${BASH}, ${SEARCH}`), { tools: ['web_search', 'bash'] })).toBe(body(BASH));
    expect(edit(body(SEARCH), { tools: ['web_search'] })).toBe(body(''));
  });

  it('is a server: it goes, and its toolset', () => {
    expect(edit(body(`${BASH}, ${SET}`, `${SERVER},${OTHER}`), { servers: ['ex'] })).toBe(body(BASH, OTHER));
  });

  it('is a tool of a server: it is switched off', () => {
    const of = { ex: ['a', 'b"c'] };
    const off = '{"a":{"enabled":false},"b\\"c":{"enabled":false}}';
    const cases: readonly [string, string][] = [
      [SET, `{"configs":${off},${SET.slice(1)}`],
      [SET.replace('}', ',"configs":null}'), SET.replace('}', `,"configs":${off}}`)],
      [SET.replace('}', ',"configs":{ }}'), SET.replace('}', `,"configs":${off}}`)],
      [
        SET.replace('}', ', "configs":{"a":{"enabled": true, "x":1}, "z": {}}}'),
        SET.replace('}', ', "configs":{"b\\"c":{"enabled":false},"a":{"enabled": false, "x":1}, "z": {}}}'),
      ],
      [
        SET.replace('}', ',"configs":{"a":{"x":1},"b\\"c":{}}}'),
        SET.replace('}', ',"configs":{"a":{"enabled":false,"x":1},"b\\"c":{"enabled":false}}}'),
      ],
    ];
    for (const [before, after] of cases) {
      expect(edit(body(before, SERVER), { of })).toBe(body(after, SERVER));
      expect(() => JSON.parse(edit(body(before, SERVER), { of })) as unknown).not.toThrow();
    }
  });

  it('is a tool of a server in the older form: it goes from its list, and the server where there is no list', () => {
    const listing = (names: string) => SERVER.replace('}', `,"tool_configuration":{"allowed_tools":[${names}]}}`);
    expect(edit(body('', listing('"a", "b"')), { of: { ex: ['a'] } })).toBe(body('', listing('"b"')));
    expect(edit(body('', `${SERVER},${OTHER}`), { of: { ex: ['a'] } })).toBe(body('', OTHER));
  });

  it('is a type that nobody knows: the provider may run it', () => {
    const later = ['web_search', 'web_search_20990101_b', 'openrouter:web_search'].map((type) =>
      SEARCH.replace('web_search_20260318', type),
    );
    expect(edit(body([...later, BASH, CUSTOM].join()), { tools: ['web_search', 'bash'] })).toBe(body(`${BASH},${CUSTOM}`));
  });

  it('is added by a message: a text stands there, and it goes from what sums the message up', () => {
    const add = (definition: string) => `{"type":"tool_addition","tool":{"type":"tool_definition","definition":${definition}}}`;
    const asking = (blocks: readonly string[], changes: readonly string[]) =>
      `{"messages":[{"role":"system","content":[${blocks.join()}]},{"role":"user","content":[{"type":"compaction","tool_changes":[${changes.join()}]}]}]}`;
    const text = '{"type":"text","text":"[clawai] A tool that was added here is taken out: the policy denies it."}';
    const off = add(`{"configs":{"a":{"enabled":false}},${SET.slice(1)}`);
    const [search, custom, set] = [SEARCH, CUSTOM, SET].map(add) as [string, string, string];
    const all = asking([search, custom, set], [custom, search]);
    expect(edit(all, { tools: ['web_search'] })).toBe(asking([text, custom, set], [custom]));
    expect(edit(all, { servers: ['ex'] })).toBe(asking([search, custom, text], [custom, search]));
    expect(edit(all, { of: { ex: ['a'] } })).toBe(asking([search, custom, off], [custom, search]));
  });
});

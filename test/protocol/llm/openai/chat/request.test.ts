import { describe, expect, it } from 'vitest';
import { readChatRequest } from '../../../../../src/protocol/llm/openai/chat/request.ts';

const named = (name: string) => ({ type: 'function', function: { name, description: 'd', parameters: {} } });

function read(body: object): unknown {
  return readChatRequest(JSON.stringify({ model: 'm', messages: [], ...body }));
}

describe('a request', () => {
  it('offers tools of all kinds', () => {
    const body = {
      tools: [
        named('read'),
        { type: 'custom', custom: { name: 'shell' } },
        { type: 'web_search', web_search: { search_engine: 'x' } },
        { name: 'bare' },
        'x',
      ],
      functions: [{ name: 'old', parameters: {} }],
      web_search_options: {},
    };
    expect(read(body)).toMatchObject({
      tools: [
        { name: 'read', type: 'function', group: undefined, definition: JSON.stringify(named('read')) },
        { name: 'shell', type: 'custom' },
        { name: 'web_search', type: 'web_search' },
        { name: 'bare', type: 'function' },
        { name: 'old', type: 'function', definition: '{"name":"old","parameters":{}}' },
        { name: 'web_search', type: 'web_search' },
      ],
      mcpServers: [],
      results: [],
      previousAnswer: undefined,
    });
    expect(read({ tools: null, web_search_options: null })).toMatchObject({ tools: [] });
  });

  it('may have the provider call servers; no secret of theirs is kept', () => {
    const server = {
      type: 'mcp',
      server_label: 's',
      server_url: 'https://me:hunter2@s.example/mcp?key=hunter2',
      headers: { authorization: 'hunter2' },
    };
    const made = read({
      tools: [
        { ...server, allowed_tools: ['a', 1] },
        { ...server, server_label: 't', allowed_tools: { tool_names: ['b'] } },
        { ...server, server_label: 'u' },
      ],
    });
    expect(made).toMatchObject({
      tools: [],
      mcpServers: [
        { name: 's', url: 'https://s.example/mcp', allowed: ['a'] },
        { name: 't', allowed: ['b'] },
        { name: 'u', allowed: [] },
      ],
    });
    expect(JSON.stringify(made)).not.toContain('hunter2');
  });

  it('tells what calls came to', () => {
    const messages = [
      { role: 'user', content: 'x' },
      { role: 'assistant', tool_calls: [{ id: 'a' }] },
      { role: 'tool', tool_call_id: 'a', content: 'ok' },
      { role: 'function', name: 'old', content: 'ok' },
      1,
    ];
    expect(read({ messages })).toMatchObject({ results: [{ id: 'a' }, { id: '' }] });
  });

  it.each<[string, string]>([
    ['x', 'the request is not JSON'],
    ['[]', 'the request is no object'],
    ['{"tools":[],"tools":[]}', 'a key occurs twice in the request'],
    ['{"messages":[{"role":"tool","role":"user"}]}', 'a key occurs twice in the request'],
    [`${'['.repeat(130)}${']'.repeat(130)}`, 'the request is no object'],
    [`{"a":${'['.repeat(130)}${']'.repeat(130)}}`, 'the request is nested too deeply'],
    ['{"Tools":[]}', 'the request has a key that some readers take for another'],
    ['{"WEB_search_options":{}}', 'the request has a key that some readers take for another'],
    ['{"tools":[{"Type":"mcp"}]}', 'the request has a key that some readers take for another'],
    ['{"functions":[{"nAme":"x"}]}', 'the request has a key that some readers take for another'],
    ['{"messages":[{"Content":"x"}]}', 'the request has a key that some readers take for another'],
  ])('may be one that readers differ on: %s', (text, why) => {
    expect(readChatRequest(text)).toBe(why);
  });
});

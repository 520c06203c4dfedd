import { expect, it } from 'vitest';
import type { DeniedTools } from '../../../../../src/protocol/llm/model-api.ts';
import { editTools } from '../../../../../src/protocol/llm/openai/responses/edit-tools.ts';

const READ = { type: 'function', name: 'read' };
const SEARCH = { type: 'web_search_preview' };
const CODE = { type: 'code_interpreter', container: { type: 'auto' } };
const GITHUB = { type: 'mcp', server_label: 'github', server_url: 'https://gh.example', require_approval: 'never' };
const LISTED = { ...GITHUB, allowed_tools: ['list', 'delete'] };

const denied = (more: Partial<DeniedTools>): DeniedTools => ({
  providerTools: new Set(),
  mcpServers: new Set(),
  mcpTools: new Map(),
  ...more,
});
const NO_SEARCH = denied({ providerTools: new Set(['web_search', 'read']) });
const NO_GITHUB = denied({ mcpServers: new Set(['github']) });
const NO_DELETE = denied({ mcpTools: new Map([['github', new Set(['delete'])]]) });

it.each<[string, DeniedTools, object, object]>([
  ['a search is left out, a function of that name is not', NO_SEARCH, { tools: [SEARCH, READ] }, { tools: [READ] }],
  ['what is not denied stays', NO_SEARCH, { tools: [CODE, GITHUB] }, { tools: [CODE, GITHUB] }],
  ['a list that would be empty is left out, and the choice', NO_SEARCH, { tools: [SEARCH], tool_choice: 'required' }, {}],
  ['the choice of it is left out', NO_SEARCH, { tools: [SEARCH, READ], tool_choice: SEARCH }, { tools: [READ] }],
  [
    'of a list of choices, it is left out',
    NO_SEARCH,
    { tools: [SEARCH, READ], tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [SEARCH, READ] } },
    { tools: [READ], tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [READ] } },
  ],
  [
    'a list of choices that would be empty is left out',
    NO_SEARCH,
    { tools: [SEARCH, READ], tool_choice: { type: 'allowed_tools', tools: [SEARCH] } },
    { tools: [READ] },
  ],
  ['a server is left out', NO_GITHUB, { tools: [GITHUB, READ] }, { tools: [READ] }],
  [
    'the choice of a server too',
    NO_GITHUB,
    { tools: [GITHUB, READ], tool_choice: { type: 'mcp', server_label: 'github' } },
    { tools: [READ] },
  ],
  [
    'a tool of a server is left out of its list',
    NO_DELETE,
    { tools: [LISTED] },
    { tools: [{ ...LISTED, allowed_tools: ['list'] }] },
  ],
  [
    'a list in an object as well',
    NO_DELETE,
    { tools: [{ ...GITHUB, allowed_tools: { tool_names: ['delete', 'list'] } }] },
    { tools: [{ ...GITHUB, allowed_tools: { tool_names: ['list'] } }] },
  ],
  [
    'without a list, the provider asks before each call',
    NO_DELETE,
    { tools: [GITHUB] },
    { tools: [{ ...GITHUB, require_approval: 'always' }] },
  ],
  ['a list that would be empty takes the server with it', NO_DELETE, { tools: [{ ...GITHUB, allowed_tools: ['delete'] }] }, {}],
  [
    'tools that the input adds are left out',
    NO_SEARCH,
    { tools: [READ], input: [{ type: 'additional_tools', tools: [SEARCH, READ] }] },
    { tools: [READ], input: [{ type: 'additional_tools', tools: [READ] }] },
  ],
  ['a choice in words stays', NO_SEARCH, { tools: [SEARCH, READ], tool_choice: 'auto' }, { tools: [READ], tool_choice: 'auto' }],
])('%s', (_what, tools, request, edited) => {
  expect(JSON.parse(editTools(JSON.stringify({ model: 'm', ...request }), tools))).toEqual({ model: 'm', ...edited });
});

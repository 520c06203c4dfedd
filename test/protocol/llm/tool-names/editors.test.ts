import { vscode } from '../../../../src/protocol/llm/tool-names/editors.ts';
import { describe, expect, it } from 'vitest';
import { meaningOf, checksOf } from '../../../support/tool-names.ts';

describe(`names as ${vscode.id} makes them`, () => {
  it.each(
    checksOf(vscode, {
      names: [
        ['github', 'get_issue', 'mcp_github_get_issue'],
        ['Pylance MCP Server', 'pylanceImports', 'mcp_pylance_mcp_s_pylanceImports'],
        ['a.b', 'c.d', 'mcp_a_b_c_d'],
        ['github', 'get_issue', 'mcp_github2_get_issue'],
        ['a very long name', 't', 'mcp_a_very_long_3_t'],
        ['files', 'r'.repeat(70), `mcp_files_${'r'.repeat(54)}`],
      ],
      native: ['run_in_terminal', 'apply_patch'],
      headers: [{ 'user-agent': 'GitHubCopilotChat/0.40.0' }],
      unmapped: [['mcp_x_y', 'x', 'y']],
    }),
  )('$what', ({ actual, expected }) => expect(actual()).toEqual(expected));
});

it('names a server by what it calls itself', () => {
  const servers = [{ name: 'p', tools: ['t'], titles: ['Pylance MCP Server'] }];
  expect(meaningOf('mcp_pylance_mcp_s_t', servers, { client: vscode })).toEqual({
    kind: 'mcp',
    candidates: [{ server: 'p', tool: 't' }],
  });
});

import { crush } from '../../../../src/protocol/llm/tool-names/crush.ts';
import { testStyle } from '../../../support/tool-names.ts';

testStyle(crush, {
  names: [
    ['github', 'get_issue', 'mcp_github_get_issue'],
    ['a.b c', 'd/e', 'mcp_a.b c_d/e'],
  ],
  native: ['bash', 'sourcegraph'],
  headers: [{ 'user-agent': 'Charm-Crush/0.30.0' }],
  unmapped: [['mcp_x_y', 'x', 'y']],
});

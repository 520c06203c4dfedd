import { describe, expect, it } from 'vitest';
import { crush } from '../../../../src/protocol/llm/tool-names/terminal-agents.ts';
import { checksOf } from '../../../support/tool-names.ts';

describe(`names as ${crush.id} makes them`, () => {
  it.each(
    checksOf(crush, {
      names: [
        ['github', 'get_issue', 'mcp_github_get_issue'],
        ['a.b c', 'd/e', 'mcp_a.b c_d/e'],
      ],
      native: ['bash', 'sourcegraph'],
      headers: [{ 'user-agent': 'Charm-Crush/0.30.0' }],
      unmapped: [['mcp_x_y', 'x', 'y']],
    }),
  )('$what', ({ actual, expected }) => expect(actual()).toEqual(expected));
});

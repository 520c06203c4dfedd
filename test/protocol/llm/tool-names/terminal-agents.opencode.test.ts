import { describe, expect, it } from 'vitest';
import { opencode } from '../../../../src/protocol/llm/tool-names/terminal-agents.ts';
import { checksOf } from '../../../support/tool-names.ts';

describe(`names as ${opencode.id} makes them`, () => {
  it.each(
    checksOf(opencode, {
      names: [
        ['github', 'get_issue', 'github_get_issue'],
        ['my.files', 'read it', 'my_files_read_it'],
        ['my-files', 'read', 'my-files_read'],
      ],
      native: ['bash', 'webfetch'],
      headers: [{ 'user-agent': 'opencode/1.4.0 ai-sdk/provider' }],
      unmapped: [['mcp__x__y', 'x', 'y']],
    }),
  )('$what', ({ actual, expected }) => expect(actual()).toEqual(expected));
});

import { describe, expect, it } from 'vitest';
import { roo } from '../../../../src/protocol/llm/tool-names/editors.ts';
import { checksOf } from '../../../support/tool-names.ts';

describe(`names as ${roo.id} makes them`, () => {
  it.each(
    checksOf(roo, {
      names: [
        ['github', 'get_issue', 'mcp--github--get_issue'],
        ['my  files', 're/ad--it', 'mcp--my_files--read-it'],
        ['1st', '!', 'mcp--_1st--_unnamed'],
        ['my-files', 'read-it', 'mcp__my_files__read_it'],
        ['files', 'r'.repeat(70), `mcp--files--${'r'.repeat(52)}`],
      ],
      native: ['execute_command', 'write_to_file'],
      headers: [{ 'user-agent': 'RooCode/3.40.0' }],
      unmapped: [
        ['mcp--x--y', 'x', 'y'],
        ['mcp__x__y', 'x', 'y'],
        ['mcp--x', '', 'x'],
      ],
    }),
  )('$what', ({ actual, expected }) => expect(actual()).toEqual(expected));
});

import { describe, expect, it } from 'vitest';
import { geminiCli } from '../../../../src/protocol/llm/tool-names/gemini-cli.ts';
import { checksOf } from '../../../support/tool-names.ts';

describe(`names as ${geminiCli.id} makes them`, () => {
  it.each(
    checksOf(geminiCli, {
      names: [
        ['github', 'get_issue', 'mcp_github_get_issue'],
        ['mcp_github', 'get_issue', 'mcp_github_get_issue'],
        ['a b', 'c/d.e:f', 'mcp_a_b_c_d.e:f'],
        ['files', `${'x'.repeat(40)}${'y'.repeat(40)}`, `mcp_files_${'x'.repeat(20)}...${'y'.repeat(30)}`],
      ],
      native: ['run_shell_command', 'read_file'],
      headers: [{ 'user-agent': 'GeminiCLI/0.30.0 (linux; x64)' }],
      unmapped: [
        ['mcp_x_y_z', 'x', 'y_z'],
        [`mcp_known_${'x'.repeat(20)}...${'y'.repeat(30)}`, 'known', `${'x'.repeat(20)}...${'y'.repeat(30)}`],
      ],
    }),
  )('$what', ({ actual, expected }) => expect(actual()).toEqual(expected));
});

import { describe, expect, it } from 'vitest';
import { qwenCode } from '../../../../src/protocol/llm/tool-names/gemini-cli.ts';
import { checksOf } from '../../../support/tool-names.ts';

describe(`names as ${qwenCode.id} makes them`, () => {
  it.each(
    checksOf(qwenCode, {
      names: [
        ['github', 'get.issue', 'mcp__github__get.issue'],
        ['a b', 'c/d', 'mcp__a_b__c_d'],
        ['files', `${'x'.repeat(40)}${'y'.repeat(40)}`, `mcp__files__${'x'.repeat(16)}___${'y'.repeat(32)}`],
      ],
      native: ['run_shell_command', 'tool_search'],
      headers: [{ 'user-agent': 'QwenCode/0.5.0 (linux; x64)' }],
      unmapped: [
        ['mcp__x__y', 'x', 'y'],
        [`mcp__known__${'x'.repeat(16)}___${'y'.repeat(32)}`, 'known', `${'x'.repeat(16)}___${'y'.repeat(32)}`],
      ],
    }),
  )('$what', ({ actual, expected }) => expect(actual()).toEqual(expected));
});

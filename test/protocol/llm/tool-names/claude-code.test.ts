import { describe, expect, it } from 'vitest';
import { claudeCode } from '../../../../src/protocol/llm/tool-names/claude-code.ts';
import { checksOf } from '../../../support/tool-names.ts';

describe(`names as ${claudeCode.id} makes them`, () => {
  it.each(
    checksOf(claudeCode, {
      names: [
        ['github', 'get_issue', 'mcp__github__get_issue'],
        ['a.b', 'c/d', 'mcp__a_b__c_d'],
        ['a__b', 'read_file', 'mcp__a__b__read_file'],
        ['claude.ai Google  Drive', 'search', 'mcp__claude_ai_Google_Drive__search'],
        ['db.srv', 'read_file', 'mcp__plugin_my-plug_in_db_srv__read_file'],
        ['long', 't'.repeat(90), `mcp__long__${'t'.repeat(90)}`],
        ['ünï', 'naïve', 'mcp___n___na_ve'],
      ],
      native: ['Bash', 'Edit', 'Task', 'ToolSearch'],
      headers: [{ 'user-agent': 'claude-cli/2.1.330 (external, cli)', 'x-claude-code-session-id': 's' }],
      unmapped: [
        ['mcp__x__y__z', 'x', 'y__z'],
        ['mcp__x', '', 'x'],
      ],
    }),
  )('$what', ({ actual, expected }) => expect(actual()).toEqual(expected));
});

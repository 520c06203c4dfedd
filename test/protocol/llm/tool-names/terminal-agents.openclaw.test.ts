import { describe, expect, it } from 'vitest';
import { openclaw } from '../../../../src/protocol/llm/tool-names/terminal-agents.ts';
import { checksOf } from '../../../support/tool-names.ts';

describe(`names as ${openclaw.id} makes them`, () => {
  it.each(
    checksOf(openclaw, {
      names: [
        ['github', 'get_issue', 'github__get_issue'],
        [' 1.st ', '2nd', 'mcp-1-st__tool-2nd'],
        ['s'.repeat(40), 'read', `${'s'.repeat(30)}__read`],
        ['files', 'read', 'files-2__read'],
        ['files', 'r'.repeat(70), `files__${'r'.repeat(57)}`],
      ],
      native: ['exec', 'browser'],
      headers: [{ 'user-agent': 'openclaw/2026.3.1' }],
      unmapped: [['x__y', 'x', 'y']],
    }),
  )('$what', ({ actual, expected }) => expect(actual()).toEqual(expected));
});

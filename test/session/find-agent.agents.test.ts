import { describe, expect, it } from 'vitest';
import { findAgentMark } from '../../src/session/find-agent.ts';

describe('findAgentMark', () => {
  it.each(['CLAUDECODE', 'CODEX_SANDBOX', 'GEMINI_CLI', 'CURSOR_AGENT'])('%s is the mark of an agent', (name) => {
    expect(findAgentMark({ PATH: '/bin', [name]: '1' })).toBe(name);
    expect(findAgentMark({ [name]: '' })).toBeUndefined();
  });

  it('what people set, or an editor in all its terminals, is none', () => {
    const env = { CLAUDE_CODE_USE_BEDROCK: '1', CLAUDE_CODE_SSE_PORT: '1', CURSOR_TRACE_ID: 'x', TERM_PROGRAM: 'vscode' };
    expect(findAgentMark(env)).toBeUndefined();
  });
});

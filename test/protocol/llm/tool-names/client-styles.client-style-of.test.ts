import { describe, expect, it } from 'vitest';
import { clientStyleOf } from '../../../../src/protocol/llm/tool-names/client-styles.ts';
import { headersOf } from '../../../support/tool-names.ts';

describe('clientStyleOf', () => {
  it.each([
    [{ 'user-agent': 'codex-tui/0.169.0' }, 'codex'],
    [{ 'user-agent': 'node', originator: 'codex_exec' }, 'codex'],
    [{ 'user-agent': 'GeminiCLI-vscode/0.30.0' }, 'gemini-cli'],
    // Others say that they are Claude Code, and name their tools otherwise.
    [{ 'user-agent': 'claude-cli/2.1.2 (external, cli)' }, undefined],
    [{ 'x-claude-code-session-id': 's' }, undefined],
    [{ 'user-agent': 'Anthropic/JS 0.80.0' }, undefined],
    [{ 'user-agent': 'OpenAI/Python 2.1.0' }, undefined],
    [{ 'user-agent': 'my-opencode/1.0' }, undefined],
    [{}, undefined],
  ])('%j: %s', (headers: Record<string, string>, id) => {
    expect(clientStyleOf(headersOf(headers))?.id).toBe(id);
  });
});

import { describe, expect, it } from 'vitest';
import { findClientSession } from '../../src/session/session.ts';
import { parsePsLine, type ProcessInfo } from '../../src/session/processes.ts';

const ID = '6f1c2b1e-1111-4222-8333-944445555666';
const CLAUDE = { CLAUDE_CODE_SESSION_ID: ID };
const COPILOT = { COPILOT_AGENT_SESSION_ID: 'c'.repeat(36) };

/** The session that the environment names, with these ancestors, nearest first, by their command lines. */
function sessionIn(env: NodeJS.ProcessEnv, ...lines: readonly string[]): string | undefined {
  const processes = lines.map((line, i): ProcessInfo => {
    const words = line.split(' ');
    return { pid: 100 - i, parent: 99 - i, started: 100 - i, name: '', words, stdin: undefined };
  });
  return findClientSession({ env, parent: 100, readProcess: (pid) => processes.find((each) => each.pid === pid) });
}

describe('findClientSession', () => {
  it.each([
    ['claude'],
    ['sh -c x', 'claude'],
    ['npm exec x', 'node /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js'],
    ['/home/u/.local/bin/claude --resume', 'zsh', '/usr/share/code/code'],
    // Of what nobody knows nothing contradicts.
    ['my-launcher', 'claude'],
    ['/usr/lib/systemd/systemd --user'],
    [],
  ])('claude is believed below %s', (...lines) => {
    expect(sessionIn(CLAUDE, ...lines)).toBe(`claude-${ID}`);
  });

  it.each([
    ['codex', 'bash', 'claude'],
    ['node /x/node_modules/@google/gemini-cli/dist/index.js', 'bash', 'claude'],
    ['/Applications/Claude.app/Contents/MacOS/Claude', 'zsh', 'claude'],
    ['/usr/share/cursor/cursor --type=utility', 'bash', 'claude'],
    ['/Applications/Cursor.app/Contents/Frameworks/Cursor Helper.app/Contents/MacOS/Cursor Helper', 'claude'],
    ['/Applications/Visual Studio Code.app/Contents/Frameworks/Code Helper.app/Contents/MacOS/Code Helper', 'claude'],
  ])('and not below %s, which has inherited it', (...lines) => {
    expect(sessionIn(CLAUDE, ...lines)).toBeUndefined();
  });

  it('of two, that of the nearer one counts; where neither is known, none', () => {
    const env = { ...CLAUDE, ...COPILOT };
    expect(sessionIn(env, 'copilot', 'bash', 'claude')).toBe(`copilot-${'c'.repeat(36)}`);
    expect(sessionIn(env, 'node /x/@github/copilot/index.js', 'claude')).toBe(`copilot-${'c'.repeat(36)}`);
    expect(sessionIn(env, 'sh', 'claude', 'bash', 'copilot')).toBe(`claude-${ID}`);
    expect(sessionIn(env, 'codex')).toBeUndefined();
    expect(sessionIn(env)).toBeUndefined();
  });

  it('where processes cannot be looked at, what the environment says counts', () => {
    expect(findClientSession({ env: CLAUDE, parent: 100, readProcess: undefined })).toBe(`claude-${ID}`);
    expect(findClientSession({ env: COPILOT, parent: 100, readProcess: undefined })).toBe(`copilot-${'c'.repeat(36)}`);
    expect(findClientSession({ env: { ...CLAUDE, ...COPILOT }, parent: 100, readProcess: undefined })).toBeUndefined();
    expect(findClientSession({ env: {}, parent: 100, readProcess: undefined })).toBeUndefined();
  });

  it.each(['', '1', '1234567', 'a b c d e f', '../../../etc', 'x'.repeat(65), 'é'.repeat(20), `${ID}\n`])('%j is no id', (id) => {
    expect(sessionIn({ CLAUDE_CODE_SESSION_ID: id }, 'claude')).toBeUndefined();
  });

  it('as macOS tells of processes', () => {
    const lines = [
      '  700   650 Sun Nov 22 04:32:00 2026 npm exec clawai',
      '  650   600 Sun Nov 22 04:31:00 2026 /opt/homebrew/bin/codex --full-auto',
      '  600     1 Sun Nov 22 04:30:55 2026 claude',
    ].map((line) => parsePsLine(line));
    const readProcess = (pid: number): ProcessInfo | undefined => lines.find((each) => each?.pid === pid);
    expect(findClientSession({ env: CLAUDE, parent: 700, readProcess })).toBeUndefined();
    expect(findClientSession({ env: CLAUDE, parent: 600, readProcess })).toBe(`claude-${ID}`);
  });
});

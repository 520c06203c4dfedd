import { describe, expect, it } from 'vitest';
import { findAgent } from '../../src/session/find-agent.ts';
import type { ProcessInfo } from '../../src/session/processes.ts';

/** The pid of the agent in a row of ancestors, nearest first, each a name and its words; 100 is our parent, 101 its parent, …. */
function agentIn(...ancestors: readonly (readonly [name: string, words: string])[]): number | undefined {
  const processes = ancestors.map(([name, words], i): ProcessInfo => {
    const parent = i === ancestors.length - 1 ? 1 : 101 + i;
    return { pid: 100 + i, parent, started: 1000 - i, name, words: words.split(' '), stdin: undefined };
  });
  return findAgent(100, (pid) => processes.find((each) => each.pid === pid))?.pid;
}

const SHELL = ['bash', '-bash'] as const;

describe('findAgent', () => {
  it.each([
    ['claude', '/home/u/.local/bin/claude --resume'],
    ['node-MainThread', 'node /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js'],
    ['claude', 'claude'],
    ['MainThread', 'node --no-warnings /usr/bin/gemini'],
    ['node', '/opt/node/bin/node /x/node_modules/@google/gemini-cli/dist/index.js'],
    ['codex', '/usr/lib/node_modules/@openai/codex/vendor/codex'],
    ['cursor-agent', 'cursor-agent'],
    ['node', '/home/u/.local/share/cursor-agent/versions/1/node /home/u/.local/bin/cursor-agent chat'],
    ['opencode', 'opencode'],
    ['goosed', 'goosed agent'],
    ['python3', '/usr/bin/python3 /home/u/.local/bin/aider --model x'],
    ['python3', 'python3 -m aider'],
    ['sh', '/bin/sh /home/u/bin/claude'],
    ['Claude', '/Applications/Claude.app/Contents/MacOS/Claude'],
    ['node', 'node /usr/lib/node_modules/clawai/bin/clawai.mjs proxy --server x -- y'],
    ['node', 'node /usr/bin/clawai proxy -- y'],
    ['node', '/usr/bin/node /x/node_modules/@modelcontextprotocol/server-everything/dist/index.js'],
    ['node', 'node /x/shell-mcp/dist/mcp-shell.js'],
    ['uv', 'uv run mcp-server-shell'],
    ['mcp-server-git', 'mcp-server-git'],
    ['sh', 'sh /x/start-mcp.sh'],
    ['sh', 'sh /x/filesmcp.sh'],
  ])('%s (%s) is one, also behind shells', (name, words) => {
    expect(agentIn(SHELL, ['sh', 'sh -c x'], [name, words], ['systemd', '/sbin/init'])).toBe(102);
  });

  it.each([
    ['tmux: server', 'tmux'],
    ['code', '/usr/share/code/code --type=ptyHost'],
    ['cursor', '/opt/cursor/cursor'],
    ['windsurf', '/usr/bin/windsurf'],
    ['sshd', 'sshd: u@pts/0'],
    ['gnome-terminal-', '/usr/libexec/gnome-terminal-server'],
    ['vim', 'vim /home/u/claude'],
    ['node', 'node /home/u/mcp/node_modules/.bin/vitest run'],
    ['claude.sh', '/bin/sh /home/u/bin/claude.sh'],
    ['bash', 'bash ./codex.sh'],
    ['bash', 'bash -c echo claude'],
    ['node', 'node /x/vitest.mjs run test/mcp'],
    ['npm', 'npm run test claude'],
    ['git', 'git commit -m claude'],
  ])('%s (%s) is none', (name, words) => {
    expect(agentIn(SHELL, [name, words])).toBeUndefined();
  });

  it('however many shells are in between', () => {
    const shells = Array.from({ length: 200 }, () => SHELL);
    expect(agentIn(...shells, ['claude', 'claude'])).toBe(300);
    // So many that nobody looks on.
    expect(agentIn(...Array.from({ length: 600 }, () => SHELL))).toBe(356);
  });

  it('a process that has the pid of a parent that ended says nothing', () => {
    const processes = new Map<number, ProcessInfo>([
      [100, { pid: 100, parent: 101, started: 5, name: 'bash', words: ['bash'], stdin: undefined }],
      [101, { pid: 101, parent: 1, started: 9, name: 'claude', words: ['claude'], stdin: undefined }],
    ]);
    expect(findAgent(100, (pid) => processes.get(pid))).toBeUndefined();
  });
});

import { expect, it } from 'vitest';
import { isInit, isLauncher } from '../../src/session/find-client.ts';

it.each([
  ['sh', 'sh -c x'],
  ['bash', '-bash'],
  ['zsh', '/bin/zsh -l'],
  ['npm exec @model', 'npm exec @modelcontextprotocol/server-x'],
  ['npm', 'npm run x'],
  ['MainThread', 'node /usr/lib/node_modules/npm/bin/npx-cli.js -y x'],
  ['node', 'node --disable-warning=X /usr/bin/npx x'],
  ['node', '/opt/node/bin/node /opt/clawai/bin/clawai.mjs proxy -- x'],
  ['node', 'node /usr/local/bin/clawai proxy --server x -- y'],
  ['node', 'node /usr/local/bin/clawai hook codex'],
  ['bun', 'bun x thing'],
  ['uv', 'uv run thing'],
  ['python3', 'python3.12 /usr/bin/pipx run x'],
  ['', 'C:\\Windows\\npx.cmd x'],
  ['timeout', 'timeout 5 x'],
  ['node', 'node /home/u/.npm/_npx/1/node_modules/.bin/mcp-remote http://127.0.0.1/x'],
  ['node', 'node /home/u/.npm/_npx/1/node_modules/mcp-remote/dist/proxy.js http://127.0.0.1/x'],
  ['python3', 'python3 /home/u/.local/bin/mcp-proxy http://127.0.0.1/x'],
  ['claude-desktop', '/opt/Claude/claude-desktop --type=utility --utility-sub-type=network.mojom.NetworkService --lang=en'],
])('%s (%s) is a launcher', (name, line) => {
  expect(isLauncher({ name, words: line.includes(' exec ') ? [line] : line.split(' ') })).toBe(true);
});

it.each([
  ['claude', 'claude'],
  ['MainThread', 'node /usr/lib/node_modules/agent/cli.js'],
  ['node', 'node'],
  ['node', 'node --inspect'],
  ['MainThread', 'node /opt/clawai/bin/clawai.mjs demo'],
  ['npmish', 'npmish x'],
  ['code', '/usr/share/code/code --type=utility'],
  ['code', '/usr/share/code/code --type=utility --utility-sub-type=node.mojom.NodeService'],
  ['node', 'node /x/node_modules/agent/mcp-remote/cli.js'],
  ['python3', 'python3 agent.py'],
  ['bun', 'bun agent.ts'],
  ['x', ''],
])('%s (%s) is none', (name, line) => {
  expect(isLauncher({ name, words: line.split(' ') })).toBe(false);
});

it.each([
  [1, 'agent', true],
  [0, 'agent', true],
  [2, '/sbin/init', true],
  [1234, '/usr/lib/systemd/systemd --user', true],
  [1234, 'initiator', false],
])('pid %i, %s: adopts others: %s', (pid, line, expected) => {
  expect(isInit({ pid, words: line.split(' ') })).toBe(expected);
});

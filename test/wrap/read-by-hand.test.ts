import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BY_HAND } from '../../src/clients/by-hand.ts';
import { CLIENTS } from '../../src/clients/clients.ts';
import { readByHand } from '../../src/wrap/read-by-hand.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'clawai-by-hand-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

function read(platform: NodeJS.Platform = 'linux') {
  const machine = { env: {}, platform, home: join(folder, 'home') };
  const found = readByHand(machine, [join(folder, 'project')], { isOwn: (url) => url.startsWith('http://127.0.0.1:8787/') });
  return found.map(({ client, servers, problem }) => [
    client.id,
    problem ?? servers.map(({ server, state }) => `${server} ${state}`),
  ]);
}

const BARE = '{"mcpServers":{"a":{"command":"npx"}}}';

it('has ids that no client has that is edited, each once', () => {
  const ids = [...BY_HAND, ...CLIENTS].map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
});

it.each<[file: string, text: string, expected: readonly [id: string, found: unknown]]>([
  [
    'home/.codex/config.toml',
    '[mcp_servers.a]\ncommand = "npx"\n[mcp_servers.b]\nurl = "https://x.example"',
    ['codex', ['a unwrapped', 'b remote']],
  ],
  [
    'home/.codex/config.toml',
    'profiles.p.mcp_servers = { "a b" = { command = "clawai", args = ["proxy", "--", "x"] } }',
    ['codex', ['a b by-hand']],
  ],
  [
    'home/.codex/config.toml',
    '[mcp_servers.a]\ncommand = "clawai"\nargs = ["proxy", "--", "x"]\nenv.CLAWAI_POLICY = "x"',
    ['codex', ['a unwrapped']],
  ],
  ['project/.codex/config.toml', '[mcp_servers.a]\ncommand = "clawai"\nargs = ["proxy", "--", "x"]', ['codex', ['a unwrapped']]],
  ['home/.codex/config.toml', '[mcp_servers.a]\nargs = 1', ['codex', ['a unwrapped']]],
  ['home/.codex/config.toml', '[mcp_servers.a', ['codex', 'line 1: ']],
  ['home/.vibe/config.toml', '[[mcp_servers]]\nname = "a"\ncommand = "x"', ['mistral-vibe', ['a unwrapped']]],
  ['home/.config/goose/config.yaml', 'extensions:\n  a:\n    cmd: clawai\n    args: [proxy, --, x]\n', ['goose', ['a by-hand']]],
  ['home/.continue/config.yaml', 'mcpServers:\n  - name: a\n    command: x\n', ['continue', ['a unwrapped']]],
  ['home/.kiro/settings/mcp.json', '{"powers":{"mcpServers":{"a":{"command":"x"}}}}', ['kiro', ['a unwrapped']]],
  [
    'home/.config/amp/settings.json',
    '{ // c\n"amp.mcpServers":{"a":{"url":"http://127.0.0.1:8787/mcp/a/s"}},}',
    ['amp', ['a by-hand']],
  ],
  ['home/.config/kilo/kilo.json', '{"mcp":{"a":{"command":["clawai","proxy","--","x"]}}}', ['kilo', ['a by-hand']]],
  ['home/.openclaw/openclaw.json', "{mcp:{servers:{a:{command:'x'}}}}", ['openclaw', 'line 1: ']],
  ['project/.roo/mcp.json', BARE, ['roo', ['a unwrapped']]],
  ['home/.lmstudio/mcp.json', BARE, ['lm-studio', ['a unwrapped']]],
  ['home/.qwen/settings.json', '{"mcpServers":{"a":{"httpUrl":"https://x.example"}}}', ['qwen-code', ['a remote']]],
])('%s with %j', (file, text, [id, found]) => {
  write(file, text);
  expect(read()).toEqual([[id, typeof found === 'string' ? expect.stringContaining('line 1: ') : found]]);
});

it('names nothing that has no servers, whatever else is in it', () => {
  write('home/.codex/config.toml', 'model = "x"\n[broken');
  write('home/.config/goose/config.yaml', 'extensions:\n  developer:\n    type: builtin\n');
  write('home/.qwen/settings.json', '{"mcpServers":{}}');
  write('home/.kiro/settings/mcp.json', '');
  expect(read()).toEqual([]);
});

it('a file that is no text may have servers', () => {
  write('home/.lmstudio/mcp.json', '');
  writeFileSync(join(folder, 'home/.lmstudio/mcp.json'), Buffer.from([0xff, 0xfe, 0x00]));
  expect(read()).toEqual([['lm-studio', expect.stringContaining('not UTF-8')]]);
});

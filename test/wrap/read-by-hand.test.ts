import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, describe } from 'vitest';
import { BY_HAND } from '../../src/clients/by-hand.ts';
import { CLIENTS } from '../../src/clients/clients.ts';
import { readByHand, serversInYaml } from '../../src/wrap/read-by-hand.ts';

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

const GOOSE = `# mine
GOOSE_MODEL: x
extensions:
  developer:
    bundled: true
    type: builtin
  github:  # why
    args:
    - -y
    - '@x/it''s'
    cmd: "npx" # here
    envs:
      TOKEN: t
    type: stdio
  'far away':
    type: sse
    uri: https://x.example/sse
GOOSE_PROVIDER: y
`;

const CONTINUE = `models: []
mcpServers:
- name: a
  command: npx
  args: ["-y", 'b c', "d\\"e,f"]
- name: web
  url: https://x.example/mcp
`;

describe('serversInYaml', () => {
  it('reads what Goose writes, without what it brings along', () => {
    expect(serversInYaml(GOOSE, ['extensions'])).toEqual({
      servers: [
        { name: 'github', url: undefined, line: { command: 'npx', args: ['-y', "@x/it's"] }, env: { TOKEN: '' } },
        { name: 'far away', url: 'https://x.example/sse', line: undefined },
      ],
    });
  });

  it('reads lists of servers, also with other line ends and a mark', () => {
    const servers = [
      { name: 'a', url: undefined, line: { command: 'npx', args: ['-y', 'b c', 'd"e,f'] }, env: {} },
      { name: 'web', url: 'https://x.example/mcp', line: undefined },
    ];
    expect(serversInYaml(CONTINUE, ['mcpServers'])).toEqual({ servers });
    expect(serversInYaml(`\uFEFF${CONTINUE.replaceAll('\n', '\r\n')}`, ['mcpServers'])).toEqual({ servers });
    expect(serversInYaml(CONTINUE.replaceAll(/^(?=[- ] )/gm, '  '), ['mcpServers'])).toEqual({ servers });
  });

  it.each([
    '',
    'extensions:',
    'extensions: {}',
    'extensions: []\n',
    'extensions: null',
    'other:\n  extensions:\n    a:\n      cmd: x',
  ])('finds none in %j', (text) => {
    expect(serversInYaml(text, ['extensions'])).toEqual({ servers: [] });
  });

  it.each([
    'extensions: {a: {cmd: x}}',
    'extensions: &a',
    'extensions:\n\ta:\n\t\tcmd: x',
    'extensions:\n    a:\n      cmd: x\n  b:\n    cmd: y',
  ])('does not guess what is in %j', (text) => {
    expect(serversInYaml(text, ['extensions'])).toEqual({ problem: expect.any(String) });
  });

  it.each(['a: {cmd: x}', 'a: *b', 'a:\n    cmd: >-\n      x\n    args: *b'])(
    'counts %j as a server of which nobody knows what it starts',
    (text) => {
      const found = serversInYaml(`extensions:\n  ${text}\n`, ['extensions']);
      expect(found).toEqual({ servers: [expect.objectContaining({ name: 'a', line: undefined })] });
    },
  );
});

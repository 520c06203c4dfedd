import { describe, expect, it } from 'vitest';
import type { Machine } from '../../src/clients/client.ts';
import { CLIENTS } from '../../src/clients/clients.ts';
import { pathsOf, resolvePath } from '../../src/clients/path-templates.ts';

/** Client, location and file, on a Linux machine without variables, in a project. */
const ON_LINUX = `
claude-code user: /home/u/.claude.json
claude-code local: /home/u/.claude.json
claude-code project: /p/.mcp.json
claude-code plugins: /home/u/.claude/plugins/cache/**/.mcp.json
claude-code managed: /etc/claude-code/managed-mcp.json
claude-desktop user: /home/u/.config/Claude/claude_desktop_config.json
cursor user: /home/u/.cursor/mcp.json
cursor project: /p/.cursor/mcp.json
cursor plugins: /home/u/.cursor/plugins/**/mcp.json
vscode user: /home/u/.config/Code/User/mcp.json
vscode profile: /home/u/.config/Code/User/profiles/*/mcp.json
vscode remote: /home/u/.vscode-server/data/User/mcp.json
vscode user-insiders: /home/u/.config/Code - Insiders/User/mcp.json
vscode profile-insiders: /home/u/.config/Code - Insiders/User/profiles/*/mcp.json
vscode remote-insiders: /home/u/.vscode-server-insiders/data/User/mcp.json
vscode user-vscodium: /home/u/.config/VSCodium/User/mcp.json
vscode profile-vscodium: /home/u/.config/VSCodium/User/profiles/*/mcp.json
vscode remote-vscodium: /home/u/.vscodium-server/data/User/mcp.json
vscode user-oss: /home/u/.config/Code - OSS/User/mcp.json
vscode profile-oss: /home/u/.config/Code - OSS/User/profiles/*/mcp.json
vscode remote-oss: /home/u/.vscode-server-oss/data/User/mcp.json
vscode project: /p/.vscode/mcp.json
windsurf user: /home/u/.codeium/windsurf/mcp_config.json
windsurf user-jetbrains: /home/u/.codeium/mcp_config.json
cline user: /home/u/.cline/data/settings/cline_mcp_settings.json
cline legacy: /home/u/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json
cline legacy-insiders: /home/u/.config/Code - Insiders/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json
cline legacy-vscodium: /home/u/.config/VSCodium/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json
codex user: /home/u/.codex/config.toml
codex project: /p/.codex/config.toml
codex managed: /etc/codex/config.toml
codex managed-override: /etc/codex/managed_config.toml
gemini-cli user: /home/u/.gemini/settings.json
gemini-cli project: /p/.gemini/settings.json
gemini-cli extensions: /home/u/.gemini/extensions/*/gemini-extension.json
gemini-cli managed: /etc/gemini-cli/settings.json
gemini-cli managed-defaults: /etc/gemini-cli/system-defaults.json
copilot-cli user: /home/u/.copilot/mcp-config.json
copilot-cli project: /p/.mcp.json
copilot-cli project-github: /p/.github/mcp.json
opencode user/config.json: /home/u/.config/opencode/config.json
opencode user/opencode.json: /home/u/.config/opencode/opencode.json
opencode user/opencode.jsonc: /home/u/.config/opencode/opencode.jsonc
opencode home/opencode.json: /home/u/.opencode/opencode.json
opencode home/opencode.jsonc: /home/u/.opencode/opencode.jsonc
opencode project/opencode.json: /p/opencode.json
opencode project/opencode.jsonc: /p/opencode.jsonc
opencode project-folder/opencode.json: /p/.opencode/opencode.json
opencode project-folder/opencode.jsonc: /p/.opencode/opencode.jsonc
opencode managed/opencode.json: /etc/opencode/opencode.json
opencode managed/opencode.jsonc: /etc/opencode/opencode.jsonc
zed user: /home/u/.config/zed/settings.json
zed project: /p/.zed/settings.json
goose user: /home/u/.config/goose/config.yaml
continue user: /home/u/.continue/config.yaml
continue user-blocks/yaml: /home/u/.continue/mcpServers/*.yaml
continue user-blocks/yml: /home/u/.continue/mcpServers/*.yml
continue user-blocks/json: /home/u/.continue/mcpServers/*.json
continue project-blocks/yaml: /p/.continue/mcpServers/*.yaml
continue project-blocks/yml: /p/.continue/mcpServers/*.yml
continue project-blocks/json: /p/.continue/mcpServers/*.json
kiro user: /home/u/.kiro/settings/mcp.json
kiro agents: /home/u/.kiro/agents/*.json
kiro project: /p/.kiro/settings/mcp.json
kiro project-agents: /p/.kiro/agents/*.json
amazon-q user: /home/u/.aws/amazonq/mcp.json
amazon-q agents: /home/u/.aws/amazonq/cli-agents/*.json
amazon-q editor-agents: /home/u/.aws/amazonq/agents/*.json
amazon-q legacy: /home/u/.aws/amazonq/profiles/*/mcp.json
amazon-q project: /p/.amazonq/mcp.json
amazon-q project-agents: /p/.amazonq/cli-agents/*.json
qwen-code user: /home/u/.qwen/settings.json
qwen-code project: /p/.qwen/settings.json
qwen-code extensions: /home/u/.qwen/extensions/*/qwen-extension.json
crush user: /home/u/.config/crush/crush.json
crush project/crush.json: /p/crush.json
crush project/.crush.json: /p/.crush.json
kilo user: /home/u/.config/kilo/kilo.json
kilo legacy: /home/u/.config/Code/User/globalStorage/kilocode.kilo-code/settings/mcp_settings.json
kilo legacy-cli: /home/u/.kilocode/cli/global/settings/mcp_settings.json
kilo project: /p/.kilocode/mcp.json
roo user: /home/u/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json
roo project: /p/.roo/mcp.json
openclaw user: /home/u/.openclaw/openclaw.json
antigravity user: /home/u/.gemini/config/mcp_config.json
antigravity legacy: /home/u/.gemini/antigravity/mcp_config.json
junie user: /home/u/.junie/mcp/mcp.json
junie project: /p/.junie/mcp/mcp.json
air project: /p/.air/mcp.json
amp user: /home/u/.config/amp/settings.json
amp project: /p/.amp/settings.json
lm-studio user: /home/u/.lmstudio/mcp.json
lm-studio user-cache: /home/u/.cache/lm-studio/mcp.json
warp user: /home/u/.warp/.mcp.json
warp project: /p/.warp/.mcp.json
factory user: /home/u/.factory/mcp.json
factory project: /p/.factory/mcp.json
trae user: /home/u/.config/Trae/User/mcp.json
kimi user: /home/u/.kimi/mcp.json
kimi user-code: /home/u/.kimi-code/mcp.json
mistral-vibe user: /home/u/.vibe/config.toml
`;

/** What differs elsewhere by more than where homes and the settings of apps are; undefined where there is no such file. */
const ELSEWHERE: Readonly<Record<'darwin' | 'linux' | 'win32', Readonly<Record<string, string | undefined>>>> = {
  linux: {},
  darwin: {
    'claude-code managed': '/Library/Application Support/ClaudeCode/managed-mcp.json',
    'gemini-cli managed': '/Library/Application Support/GeminiCli/settings.json',
    'gemini-cli managed-defaults': '/Library/Application Support/GeminiCli/system-defaults.json',
    'opencode managed/opencode.json': '/Library/Application Support/opencode/opencode.json',
    'opencode managed/opencode.jsonc': '/Library/Application Support/opencode/opencode.jsonc',
  },
  win32: {
    'claude-code managed': String.raw`C:\Program Files\ClaudeCode\managed-mcp.json`,
    'codex managed': String.raw`C:\ProgramData\OpenAI\Codex\config.toml`,
    'codex managed-override': undefined,
    'gemini-cli managed': String.raw`C:\ProgramData\gemini-cli\settings.json`,
    'gemini-cli managed-defaults': String.raw`C:\ProgramData\gemini-cli\system-defaults.json`,
    'opencode managed/opencode.json': String.raw`C:\ProgramData\opencode\opencode.json`,
    'opencode managed/opencode.jsonc': String.raw`C:\ProgramData\opencode\opencode.jsonc`,
    'zed user': String.raw`C:\Users\u\AppData\Roaming\Zed\settings.json`,
    'goose user': String.raw`C:\Users\u\AppData\Roaming\Block\goose\config\config.yaml`,
    'amp user': String.raw`C:\Users\u\AppData\Roaming\amp\settings.json`,
    'claude-desktop user-store': String.raw`C:\Users\u\AppData\Local\Packages\Claude_*\LocalCache\Roaming\Claude\claude_desktop_config.json`,
    'visual-studio user': String.raw`C:\Users\u\.mcp.json`,
    'visual-studio project': String.raw`C:\p\.vs\mcp.json`,
    'visual-studio project-root': String.raw`C:\p\.mcp.json`,
  },
};

const APP_SETTINGS = /^\/home\/u\/\.config\/(?=(?:Claude|Code|Code - Insiders|Code - OSS|VSCodium|Trae)\/)/;

/** The same place on another platform. */
const MOVED = {
  linux: (file: string) => file,
  darwin: (file: string) =>
    file.replace(APP_SETTINGS, '/Users/u/Library/Application Support/').replace(/^\/home\/u\//, '/Users/u/'),
  win32: (file: string) =>
    file
      .replace(APP_SETTINGS, 'C:/Users/u/AppData/Roaming/')
      .replace(/^\/home\/u\//, 'C:/Users/u/')
      .replace(/^\/p\//, 'C:/p/')
      .replaceAll('/', '\\'),
} as const;

function filesOn(platform: keyof typeof MOVED): readonly string[] {
  const onLinux = ON_LINUX.trim()
    .split('\n')
    .map((line): [string, string] => [line.slice(0, line.indexOf(':')), MOVED[platform](line.slice(line.indexOf(':') + 2))]);
  const all = { ...Object.fromEntries(onLinux), ...ELSEWHERE[platform] };
  return Object.entries(all).flatMap(([name, file]) => (file === undefined ? [] : [`${name}: ${file}`]));
}

const MACHINES = {
  darwin: { machine: { platform: 'darwin', home: '/Users/u', env: {} }, project: '/p' },
  linux: { machine: { platform: 'linux', home: '/home/u', env: {} }, project: '/p' },
  win32: { machine: { platform: 'win32', home: String.raw`C:\Users\u`, env: {} }, project: String.raw`C:\p` },
} as const satisfies Record<string, { machine: Machine; project: string }>;

const LOCATIONS = CLIENTS.flatMap((client) =>
  client.locations.map((location) => ({ client, location, name: `${client.id} ${location.id}` })),
);

describe('clients', () => {
  it('are these', () => {
    expect(CLIENTS.map(({ id, name, isDesktopApp }) => `${id}: ${name}${isDesktopApp ? ', a desktop app' : ''}`)).toEqual([
      'claude-code: Claude Code',
      'claude-desktop: Claude Desktop, a desktop app',
      'cursor: Cursor, a desktop app',
      'vscode: VS Code, a desktop app',
      'windsurf: Windsurf, a desktop app',
      'cline: Cline, a desktop app',
      'codex: Codex',
      'gemini-cli: Gemini CLI',
      'copilot-cli: Copilot CLI',
      'opencode: opencode',
      'zed: Zed, a desktop app',
      'goose: Goose, a desktop app',
      'continue: Continue, a desktop app',
      'kiro: Kiro, a desktop app',
      'amazon-q: Amazon Q, a desktop app',
      'qwen-code: Qwen Code',
      'crush: Crush',
      'kilo: Kilo Code, a desktop app',
      'roo: Roo Code, a desktop app',
      'openclaw: OpenClaw',
      'antigravity: Antigravity, a desktop app',
      'junie: JetBrains Junie, a desktop app',
      'air: JetBrains Air, a desktop app',
      'amp: Amp',
      'lm-studio: LM Studio, a desktop app',
      'warp: Warp, a desktop app',
      'factory: Factory droid',
      'trae: Trae, a desktop app',
      'kimi: Kimi',
      'mistral-vibe: Mistral Vibe',
      'visual-studio: Visual Studio, a desktop app',
    ]);
  });

  it.each(['darwin', 'linux', 'win32'] as const)('keep their files there on %s', (platform) => {
    const { machine, project } = MACHINES[platform];
    const rows = LOCATIONS.flatMap(({ location, name }) => {
      const path = resolvePath(location.file, machine, project);
      return path === undefined ? [] : [`${name}: ${pathsOf(machine).join(path.base, ...path.segments)}`];
    });
    expect(rows.toSorted()).toEqual(filesOn(platform).toSorted());
  });

  it.each<[string, string, string]>([
    ['claude-code user', 'CLAUDE_CONFIG_DIR', '/v/.claude.json'],
    ['claude-code local', 'CLAUDE_CONFIG_DIR', '/v/.claude.json'],
    ['claude-code plugins', 'CLAUDE_CONFIG_DIR', '/v/plugins/cache/**/.mcp.json'],
    ['claude-code plugins', 'CLAUDE_CODE_PLUGIN_CACHE_DIR', '/v/**/.mcp.json'],
    ['claude-desktop user', 'XDG_CONFIG_HOME', '/v/Claude/claude_desktop_config.json'],
    ['vscode user', 'XDG_CONFIG_HOME', '/v/Code/User/mcp.json'],
    ['cline user', 'CLINE_MCP_SETTINGS_PATH', '/v'],
    ['cline user', 'CLINE_DATA_DIR', '/v/settings/cline_mcp_settings.json'],
    ['cline user', 'CLINE_DIR', '/v/data/settings/cline_mcp_settings.json'],
    ['gemini-cli user', 'GEMINI_CLI_HOME', '/v/.gemini/settings.json'],
    ['gemini-cli managed', 'GEMINI_CLI_SYSTEM_SETTINGS_PATH', '/v'],
    ['copilot-cli user', 'COPILOT_HOME', '/v/mcp-config.json'],
    ['opencode variable', 'OPENCODE_CONFIG', '/v'],
    ['opencode folder/opencode.json', 'OPENCODE_CONFIG_DIR', '/v/opencode.json'],
    ['zed user', 'XDG_CONFIG_HOME', '/v/zed/settings.json'],
    ['codex user', 'CODEX_HOME', '/v/config.toml'],
    ['goose user', 'XDG_CONFIG_HOME', '/v/goose/config.yaml'],
    ['continue user', 'CONTINUE_GLOBAL_DIR', '/v/config.yaml'],
    ['factory user', 'FACTORY_HOME_OVERRIDE', '/v/.factory/mcp.json'],
  ])('%s follows $%s', (wanted, variable, file) => {
    const found = LOCATIONS.find(({ name }) => name === wanted);
    const path =
      found && resolvePath(found.location.file, { platform: 'linux', home: '/home/u', env: { [variable]: '/v' } }, undefined);
    expect(path && [path.base, ...path.segments].join('/')).toBe(file);
  });

  it('have ids that recorded state and command lines can hold', () => {
    expect(CLIENTS.filter(({ id }) => !/^[a-z]+(-[a-z]+)*$/.test(id))).toEqual([]);
    expect(LOCATIONS.filter(({ name }, index) => LOCATIONS.findIndex((other) => other.name === name) !== index)).toEqual([]);
  });

  it('lock as they do themselves', () => {
    const locked = LOCATIONS.filter(({ location }) => location.lock.kind !== 'none');
    expect(locked.map(({ name, location }) => [name, location.lock])).toEqual([
      ['claude-code user', { kind: 'directory', staleAfterMs: 10_000 }],
      ['claude-code local', { kind: 'directory', staleAfterMs: 10_000 }],
      ['cline user', { kind: 'owned-directory', staleAfterMs: 10_000 }],
    ]);
  });

  it('say whatever a person has to know in one sentence without an end', () => {
    const remarks = [
      ...CLIENTS.flatMap((client) => [...(client.remarks ?? []), ...(client.policyFiles ?? []).map(({ remark }) => remark)]),
      ...LOCATIONS.flatMap(({ location }) => location.remarks ?? []),
    ];
    expect(remarks.filter(({ text }) => !/^\S.*[^.!\s]$/.test(text))).toEqual([]);
    expect(remarks.length).toBeGreaterThan(20);
  });

  it('name what is shared with a team, overwritten by updates, or owned by an administrator', () => {
    const named = (is: (location: (typeof LOCATIONS)[number]['location']) => boolean): string[] =>
      LOCATIONS.filter(({ location }) => is(location)).map(({ name }) => name);
    expect(named(({ isPluginCache }) => isPluginCache === true)).toEqual([
      'claude-code plugins',
      'cursor plugins',
      'gemini-cli extensions',
      'qwen-code extensions',
    ]);
    expect(named(({ scope }) => scope === 'managed')).toEqual([
      'claude-code managed',
      'codex managed',
      'codex managed-override',
      'gemini-cli managed',
      'gemini-cli managed-defaults',
      'opencode managed/opencode.json',
      'opencode managed/opencode.jsonc',
    ]);
    expect(LOCATIONS.filter(({ location }) => (location.scope === 'project') !== (location.isShared === true))).toEqual([]);
  });
});

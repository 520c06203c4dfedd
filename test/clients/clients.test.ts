import { describe, expect, it } from 'vitest';
import type { Machine } from '../../src/clients/client.ts';
import { CLIENTS } from '../../src/clients/clients.ts';
import { pathsOf, resolvePath } from '../../src/clients/path-templates.ts';

/** Client, location and file, on a machine without variables, in a project. */
const FILES = {
  darwin: String.raw`
claude-code user: /Users/u/.claude.json
claude-code local: /Users/u/.claude.json
claude-code project: /p/.mcp.json
claude-code plugins: /Users/u/.claude/plugins/cache/**/.mcp.json
claude-code managed: /Library/Application Support/ClaudeCode/managed-mcp.json
claude-desktop user: /Users/u/Library/Application Support/Claude/claude_desktop_config.json
cursor user: /Users/u/.cursor/mcp.json
cursor project: /p/.cursor/mcp.json
cursor plugins: /Users/u/.cursor/plugins/**/mcp.json
vscode user: /Users/u/Library/Application Support/Code/User/mcp.json
vscode profile: /Users/u/Library/Application Support/Code/User/profiles/*/mcp.json
vscode remote: /Users/u/.vscode-server/data/User/mcp.json
vscode user-insiders: /Users/u/Library/Application Support/Code - Insiders/User/mcp.json
vscode profile-insiders: /Users/u/Library/Application Support/Code - Insiders/User/profiles/*/mcp.json
vscode remote-insiders: /Users/u/.vscode-server-insiders/data/User/mcp.json
vscode user-vscodium: /Users/u/Library/Application Support/VSCodium/User/mcp.json
vscode profile-vscodium: /Users/u/Library/Application Support/VSCodium/User/profiles/*/mcp.json
vscode remote-vscodium: /Users/u/.vscodium-server/data/User/mcp.json
vscode user-oss: /Users/u/Library/Application Support/Code - OSS/User/mcp.json
vscode profile-oss: /Users/u/Library/Application Support/Code - OSS/User/profiles/*/mcp.json
vscode remote-oss: /Users/u/.vscode-server-oss/data/User/mcp.json
vscode project: /p/.vscode/mcp.json
windsurf user: /Users/u/.codeium/windsurf/mcp_config.json
windsurf user-jetbrains: /Users/u/.codeium/mcp_config.json
cline user: /Users/u/.cline/data/settings/cline_mcp_settings.json
cline legacy: /Users/u/Library/Application Support/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json
cline legacy-insiders: /Users/u/Library/Application Support/Code - Insiders/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json
cline legacy-vscodium: /Users/u/Library/Application Support/VSCodium/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json
gemini-cli user: /Users/u/.gemini/settings.json
gemini-cli project: /p/.gemini/settings.json
gemini-cli extensions: /Users/u/.gemini/extensions/*/gemini-extension.json
gemini-cli managed: /Library/Application Support/GeminiCli/settings.json
gemini-cli managed-defaults: /Library/Application Support/GeminiCli/system-defaults.json
copilot-cli user: /Users/u/.copilot/mcp-config.json
copilot-cli project: /p/.mcp.json
copilot-cli project-github: /p/.github/mcp.json
opencode user/config.json: /Users/u/.config/opencode/config.json
opencode user/opencode.json: /Users/u/.config/opencode/opencode.json
opencode user/opencode.jsonc: /Users/u/.config/opencode/opencode.jsonc
opencode home/opencode.json: /Users/u/.opencode/opencode.json
opencode home/opencode.jsonc: /Users/u/.opencode/opencode.jsonc
opencode project/opencode.json: /p/opencode.json
opencode project/opencode.jsonc: /p/opencode.jsonc
opencode project-folder/opencode.json: /p/.opencode/opencode.json
opencode project-folder/opencode.jsonc: /p/.opencode/opencode.jsonc
opencode managed/opencode.json: /Library/Application Support/opencode/opencode.json
opencode managed/opencode.jsonc: /Library/Application Support/opencode/opencode.jsonc
zed user: /Users/u/.config/zed/settings.json
zed project: /p/.zed/settings.json
`,
  linux: String.raw`
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
`,
  win32: String.raw`
claude-code user: C:\Users\u\.claude.json
claude-code local: C:\Users\u\.claude.json
claude-code project: C:\p\.mcp.json
claude-code plugins: C:\Users\u\.claude\plugins\cache\**\.mcp.json
claude-code managed: C:\Program Files\ClaudeCode\managed-mcp.json
claude-desktop user: C:\Users\u\AppData\Roaming\Claude\claude_desktop_config.json
claude-desktop user-store: C:\Users\u\AppData\Local\Packages\Claude_*\LocalCache\Roaming\Claude\claude_desktop_config.json
cursor user: C:\Users\u\.cursor\mcp.json
cursor project: C:\p\.cursor\mcp.json
cursor plugins: C:\Users\u\.cursor\plugins\**\mcp.json
vscode user: C:\Users\u\AppData\Roaming\Code\User\mcp.json
vscode profile: C:\Users\u\AppData\Roaming\Code\User\profiles\*\mcp.json
vscode remote: C:\Users\u\.vscode-server\data\User\mcp.json
vscode user-insiders: C:\Users\u\AppData\Roaming\Code - Insiders\User\mcp.json
vscode profile-insiders: C:\Users\u\AppData\Roaming\Code - Insiders\User\profiles\*\mcp.json
vscode remote-insiders: C:\Users\u\.vscode-server-insiders\data\User\mcp.json
vscode user-vscodium: C:\Users\u\AppData\Roaming\VSCodium\User\mcp.json
vscode profile-vscodium: C:\Users\u\AppData\Roaming\VSCodium\User\profiles\*\mcp.json
vscode remote-vscodium: C:\Users\u\.vscodium-server\data\User\mcp.json
vscode user-oss: C:\Users\u\AppData\Roaming\Code - OSS\User\mcp.json
vscode profile-oss: C:\Users\u\AppData\Roaming\Code - OSS\User\profiles\*\mcp.json
vscode remote-oss: C:\Users\u\.vscode-server-oss\data\User\mcp.json
vscode project: C:\p\.vscode\mcp.json
windsurf user: C:\Users\u\.codeium\windsurf\mcp_config.json
windsurf user-jetbrains: C:\Users\u\.codeium\mcp_config.json
cline user: C:\Users\u\.cline\data\settings\cline_mcp_settings.json
cline legacy: C:\Users\u\AppData\Roaming\Code\User\globalStorage\saoudrizwan.claude-dev\settings\cline_mcp_settings.json
cline legacy-insiders: C:\Users\u\AppData\Roaming\Code - Insiders\User\globalStorage\saoudrizwan.claude-dev\settings\cline_mcp_settings.json
cline legacy-vscodium: C:\Users\u\AppData\Roaming\VSCodium\User\globalStorage\saoudrizwan.claude-dev\settings\cline_mcp_settings.json
gemini-cli user: C:\Users\u\.gemini\settings.json
gemini-cli project: C:\p\.gemini\settings.json
gemini-cli extensions: C:\Users\u\.gemini\extensions\*\gemini-extension.json
gemini-cli managed: C:\ProgramData\gemini-cli\settings.json
gemini-cli managed-defaults: C:\ProgramData\gemini-cli\system-defaults.json
copilot-cli user: C:\Users\u\.copilot\mcp-config.json
copilot-cli project: C:\p\.mcp.json
copilot-cli project-github: C:\p\.github\mcp.json
opencode user/config.json: C:\Users\u\.config\opencode\config.json
opencode user/opencode.json: C:\Users\u\.config\opencode\opencode.json
opencode user/opencode.jsonc: C:\Users\u\.config\opencode\opencode.jsonc
opencode home/opencode.json: C:\Users\u\.opencode\opencode.json
opencode home/opencode.jsonc: C:\Users\u\.opencode\opencode.jsonc
opencode project/opencode.json: C:\p\opencode.json
opencode project/opencode.jsonc: C:\p\opencode.jsonc
opencode project-folder/opencode.json: C:\p\.opencode\opencode.json
opencode project-folder/opencode.jsonc: C:\p\.opencode\opencode.jsonc
opencode managed/opencode.json: C:\ProgramData\opencode\opencode.json
opencode managed/opencode.jsonc: C:\ProgramData\opencode\opencode.jsonc
zed user: C:\Users\u\AppData\Roaming\Zed\settings.json
zed project: C:\p\.zed\settings.json
`,
};

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
      'gemini-cli: Gemini CLI',
      'copilot-cli: Copilot CLI',
      'opencode: opencode',
      'zed: Zed, a desktop app',
    ]);
  });

  it.each(['darwin', 'linux', 'win32'] as const)('keep their files there on %s', (platform) => {
    const { machine, project } = MACHINES[platform];
    const rows = LOCATIONS.flatMap(({ location, name }) => {
      const path = resolvePath(location.file, machine, project);
      return path === undefined ? [] : [`${name}: ${pathsOf(machine).join(path.base, ...path.segments)}`];
    });
    expect(rows).toEqual(FILES[platform].trim().split('\n'));
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
    ]);
    expect(named(({ scope }) => scope === 'managed')).toEqual([
      'claude-code managed',
      'gemini-cli managed',
      'gemini-cli managed-defaults',
      'opencode managed/opencode.json',
      'opencode managed/opencode.jsonc',
    ]);
    expect(LOCATIONS.filter(({ location }) => (location.scope === 'project') !== (location.isShared === true))).toEqual([]);
  });
});

import { COMMENTS, LENIENT, type Location, PLAIN, STRICT } from '../client.ts';
import { ARGV, type ClientRow, named, NEXT_START, perPlatform, SWITCHED } from './row.ts';

/** One file for two scopes of Claude Code, which rewrites it at every start, under a lock that it takes over after about 10 s without a sign of life. */
const CLAUDE_STATE = {
  file: ['$CLAUDE_CONFIG_DIR/.claude.json', '~/.claude.json'],
  lock: { kind: 'directory', staleAfterMs: 10_000 },
  isRewrittenByClient: true,
} as const satisfies Partial<Location>;

/** Builds of VS Code that keep their settings apart: the stable id, their folder below the settings' folder, and that of their remote server. */
const VSCODE_BUILDS = [
  ['', 'Code', '.vscode-server'],
  ['-insiders', 'Code - Insiders', '.vscode-server-insiders'],
  ['-vscodium', 'VSCodium', '.vscodium-server'],
  ['-oss', 'Code - OSS', '.vscode-server-oss'],
] as const;

const CLINE = 'settings/cline_mcp_settings.json';

/** Versions of Cline up to 3 keep their settings with the editor. */
function legacyCline(editor: string): Partial<Location> & Pick<Location, 'file'> {
  return {
    file: [`<data>/${editor}/User/globalStorage/saoudrizwan.claude-dev/${CLINE}`],
    remarks: [{ id: 'legacy', text: 'only versions before 4 read this file; later ones take it over once' }],
  };
}

const OPENCODE = ['opencode.json', 'opencode.jsonc'];

/** The clients that most people have, in the order of reports. */
export const FIRST_CLIENTS: readonly ClientRow[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    infoName: /^claude-code/i,
    shape: { ...PLAIN, otherTypes: ['sdk', 'claudeai-proxy', 'sse-ide', 'ws-ide'] },
    user: { user: CLAUDE_STATE },
    local: {
      local: {
        ...CLAUDE_STATE,
        tables: [['projects', '*', 'mcpServers']],
        hides: { location: 'project', refused: 'disabledMcpjsonServers' },
      },
    },
    project: {
      project: {
        file: ['<project>/.mcp.json'],
        remarks: [
          { id: 'approval-kept', text: 'servers of a project are approved by name, so that approvals stay' },
          { id: 'other-readers', text: 'other clients read this file too' },
        ],
      },
    },
    plugins: {
      plugins: [
        '$CLAUDE_CODE_PLUGIN_CACHE_DIR/**/.mcp.json',
        '$CLAUDE_CONFIG_DIR/plugins/cache/**/.mcp.json',
        '~/.claude/plugins/cache/**/.mcp.json',
      ],
    },
    managed: {
      managed: {
        file: perPlatform(
          '/Library/Application Support/ClaudeCode/managed-mcp.json',
          '/etc/claude-code/managed-mcp.json',
          '<programs>/ClaudeCode/managed-mcp.json',
        ),
        remarks: [{ id: 'exclusive', text: 'while this file exists, servers from all other files are ignored' }],
      },
    },
    policyFiles: [
      {
        file: perPlatform(
          '/Library/Application Support/ClaudeCode/managed-settings.json',
          '/etc/claude-code/managed-settings.json',
          '<programs>/ClaudeCode/managed-settings.json',
        ),
        syntax: STRICT,
        keys: ['allowedMcpServers', 'deniedMcpServers'],
        remark: {
          id: 'allow-list',
          text: 'an administrator allows or denies servers by exact command or URL, which a wrapped server no longer has',
        },
      },
    ],
    remarks: [
      { id: 'rewrites-file', text: 'a running session may write back the config it holds: close sessions first' },
      { id: 'restart', text: 'running sessions keep their servers until they are started again' },
    ],
  },
  {
    // The app, on Linux its unofficial builds. Remote servers are connectors of the account and stand in no file.
    id: 'claude-desktop',
    name: 'Claude Desktop',
    infoName: /^claude(?:-ai| desktop|-desktop)/i,
    isDesktopApp: true,
    shape: { ...PLAIN, urls: [] },
    isRewrittenByClient: true,
    user: {
      user: ['<data>/Claude/claude_desktop_config.json'],
      'user-store': {
        file: { win32: ['<local>/Packages/Claude_*/LocalCache/Roaming/Claude/claude_desktop_config.json'] },
        remarks: [
          {
            id: 'store-package',
            text: 'the packaged app reads its own copy of the config below Packages, whatever "Edit Config" opens',
          },
        ],
      },
    },
    remarks: [
      { id: 'quit-first', text: 'quit the app completely before: it keeps the config in memory and writes it back' },
      { id: 'restart', text: 'changes count after a restart of the app' },
      { id: 'plugin-cache', text: 'servers from desktop extensions are started by the app itself and are not in this file' },
    ],
  },
  {
    id: 'cursor',
    name: 'Cursor',
    infoName: /^cursor/i,
    isDesktopApp: true,
    syntax: LENIENT,
    user: { user: ['~/.cursor/mcp.json'] },
    project: { project: ['<project>/.cursor/mcp.json'] },
    plugins: { plugins: ['~/.cursor/plugins/**/mcp.json'] },
    remarks: [
      { id: 'approval-reset', text: 'approvals belong to the exact entry: Cursor asks again for each changed server' },
      { id: 'allow-list', text: "a team's allow-list of servers may not match wrapped ones" },
    ],
  },
  {
    id: 'vscode',
    name: 'VS Code',
    infoName: /^(?:visual[ -]studio[ -]code|vs ?code)/i,
    isDesktopApp: true,
    syntax: LENIENT,
    tables: [['servers']],
    fileRemarks: [
      {
        id: 'sandbox',
        ifEntryHas: 'sandboxEnabled',
        text: 'its sandbox then holds clawai too, which must be allowed to write its own state',
      },
      { id: 'debugging', ifEntryHas: 'dev', text: 'debugging and watching expect the original command' },
    ],
    user: Object.fromEntries(
      VSCODE_BUILDS.flatMap(([suffix, folder, server]) => [
        [`user${suffix}`, [`<data>/${folder}/User/mcp.json`]],
        [`profile${suffix}`, [`<data>/${folder}/User/profiles/*/mcp.json`]],
        [`remote${suffix}`, [`~/${server}/data/User/mcp.json`]],
      ]),
    ),
    project: {
      project: {
        file: ['<project>/.vscode/mcp.json'],
        remarks: [{ id: 'other-readers', text: 'Visual Studio reads this file too' }],
      },
    },
    remarks: [{ id: 'approval-reset', text: 'VS Code may ask again whether to trust a changed server' }],
  },
  {
    id: 'windsurf',
    name: 'Windsurf',
    infoName: /windsurf|codeium/i,
    isDesktopApp: true,
    shape: { ...SWITCHED, urls: ['serverUrl', 'url'] },
    user: { user: ['~/.codeium/windsurf/mcp_config.json'], 'user-jetbrains': ['~/.codeium/mcp_config.json'] },
    remarks: [
      { id: 'restart', text: 'changes count after "Refresh" in its list of servers' },
      { id: 'allow-list', text: "an administrator's allow-list matches the full command, which a wrapped server no longer has" },
    ],
  },
  {
    id: 'cline',
    name: 'Cline',
    infoName: /^cline/i,
    isDesktopApp: true,
    shape: { ...SWITCHED, stdio: 'command-or-transport' },
    fileRemarks: [{ id: 'transport-guess', ifEntryHas: 'url', text: 'a URL without a type means the older SSE transport here' }],
    user: {
      user: {
        file: ['$CLINE_MCP_SETTINGS_PATH', `$CLINE_DATA_DIR/${CLINE}`, `$CLINE_DIR/data/${CLINE}`, `~/.cline/data/${CLINE}`],
        lock: { kind: 'owned-directory', staleAfterMs: 10_000 },
      },
      legacy: legacyCline('Code'),
      'legacy-insiders': legacyCline('Code - Insiders'),
      'legacy-vscodium': legacyCline('VSCodium'),
    },
    remarks: [{ id: 'rewrites-file', text: 'servers installed from the marketplace later are not wrapped' }],
  },
  {
    id: 'codex',
    name: 'Codex',
    infoName: /^codex/i,
    syntax: 'toml',
    tables: [['mcp_servers'], ['profiles', '*', 'mcp_servers']],
    // A profile or a project can change a setting of a server that the user's file has.
    shape: { ...PLAIN, disabled: { key: 'enabled', when: false }, mayLackCommand: true },
    user: { user: { file: ['$CODEX_HOME/config.toml', '~/.codex/config.toml'], isRewrittenByClient: true } },
    project: {
      project: {
        file: ['<project>/.codex/config.toml'],
        remarks: [
          { id: 'approval-kept', text: 'Codex reads the config of a project only where you trust the project' },
          { id: 'other-readers', text: 'Warp reads this file too' },
        ],
      },
    },
    managed: {
      managed: perPlatform('/etc/codex/config.toml', '/etc/codex/config.toml', '<shared>/OpenAI/Codex/config.toml'),
      'managed-override': { darwin: ['/etc/codex/managed_config.toml'], linux: ['/etc/codex/managed_config.toml'] },
    },
    remarks: [
      {
        id: 'environment-stripped',
        text: 'servers get few variables: HOME, PATH and the like, and those that their entry has in "env" or "env_vars"',
      },
      {
        id: 'allow-list',
        text: "an administrator's requirements.toml can allow exact commands only, which a wrapped server no longer has",
      },
      NEXT_START,
    ],
  },
  {
    id: 'gemini-cli',
    name: 'Gemini CLI',
    infoName: /^gemini/i,
    syntax: COMMENTS,
    // The URL keys stand in the order in which the CLI looks for them.
    shape: { ...PLAIN, urls: ['httpUrl', 'url'] },
    fileRemarks: [
      {
        id: 'minted-tokens',
        ifEntryHas: 'authProviderType',
        text: 'tokens are made for the exact URL, so that another URL may stop the login',
      },
    ],
    user: { user: ['$GEMINI_CLI_HOME/.gemini/settings.json', '~/.gemini/settings.json'] },
    project: { project: ['<project>/.gemini/settings.json'] },
    plugins: {
      extensions: ['$GEMINI_CLI_HOME/.gemini/extensions/*/gemini-extension.json', '~/.gemini/extensions/*/gemini-extension.json'],
    },
    managed: {
      managed: perPlatform(
        '/Library/Application Support/GeminiCli/settings.json',
        '/etc/gemini-cli/settings.json',
        '<shared>/gemini-cli/settings.json',
        ['$GEMINI_CLI_SYSTEM_SETTINGS_PATH'],
      ),
      'managed-defaults': perPlatform(
        '/Library/Application Support/GeminiCli/system-defaults.json',
        '/etc/gemini-cli/system-defaults.json',
        '<shared>/gemini-cli/system-defaults.json',
        ['$GEMINI_CLI_SYSTEM_DEFAULTS_PATH'],
      ),
    },
    remarks: [
      {
        id: 'environment-stripped',
        text: 'variables whose names look like secrets reach a server only if its entry has them in "env"',
      },
      NEXT_START,
    ],
  },
  {
    id: 'copilot-cli',
    name: 'Copilot CLI',
    infoName: /copilot/i,
    syntax: LENIENT,
    user: { user: ['$COPILOT_HOME/mcp-config.json', '~/.copilot/mcp-config.json'] },
    project: {
      project: {
        file: ['<project>/.mcp.json'],
        remarks: [{ id: 'other-readers', text: 'other clients read this file too' }],
      },
      'project-github': {
        file: ['<project>/.github/mcp.json'],
        remarks: [{ id: 'legacy', text: 'it is read only where the project has no .mcp.json' }],
      },
    },
    remarks: [
      {
        id: 'environment-stripped',
        text: 'GITHUB_TOKEN, ANTHROPIC_API_KEY and HTTPS_PROXY reach a server only if its entry has them in "env"',
      },
      { id: 'rewrites-file', text: '"copilot mcp add" rewrites the file without its comments' },
      NEXT_START,
    ],
  },
  {
    id: 'opencode',
    name: 'opencode',
    infoName: /^opencode/i,
    syntax: LENIENT,
    tables: [['mcp']],
    shape: ARGV,
    isRewrittenByClient: true,
    user: {
      ...named(['config.json', ...OPENCODE], 'user', '<config>/opencode/*'),
      ...named(OPENCODE, 'home', '~/.opencode/*'),
      variable: ['$OPENCODE_CONFIG'],
      ...named(OPENCODE, 'folder', '$OPENCODE_CONFIG_DIR/*'),
    },
    project: {
      ...named(OPENCODE, 'project', '<project>/*'),
      ...named(OPENCODE, 'project-folder', '<project>/.opencode/*'),
    },
    managed: named(OPENCODE, 'managed', (name) =>
      perPlatform(`/Library/Application Support/opencode/${name}`, `/etc/opencode/${name}`, `<shared>/opencode/${name}`),
    ),
    remarks: [{ id: 'rewrites-file', text: 'it puts "$schema" into a config that has none' }, NEXT_START],
  },
  {
    id: 'zed',
    name: 'Zed',
    infoName: /^zed/i,
    isDesktopApp: true,
    syntax: LENIENT,
    tables: [['context_servers']],
    shape: { ...PLAIN, stdio: 'command-or-path', disabled: { key: 'enabled', when: false }, mayLackCommand: true },
    user: { user: perPlatform('<config>/zed/settings.json', '<config>/zed/settings.json', '<data>/Zed/settings.json') },
    project: { project: ['<project>/.zed/settings.json'] },
    remarks: [{ id: 'plugin-cache', text: 'servers from extensions have no command here and can only be replaced, not wrapped' }],
  },
];

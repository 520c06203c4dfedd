import { type Client, type Location, NO_LOCK, type PolicyFile, type Remark, SHARED_FILE, STRICT } from '../client.ts';
import { pluginFiles } from '../plugin-files.ts';
import { deviceProfile, MCP_LISTS } from '../policy-files.ts';

const shape = {
  stdio: 'command',
  env: 'env',
  urls: ['url'],
  otherTypes: ['sdk', 'claudeai-proxy', 'sse-ide', 'ws-ide'],
} as const satisfies Location['shape'];

/** One file for two scopes; the CLI rewrites it at every start, under a lock that it takes over after about 10 s without a sign of life. */
const stateFile = {
  file: ['$CLAUDE_CONFIG_DIR/.claude.json', '~/.claude.json'],
  syntax: STRICT,
  shape,
  lock: { kind: 'directory', staleAfterMs: 10_000 },
  isRewrittenByClient: true,
} as const satisfies Partial<Location>;

const MANAGED_SERVERS: PolicyFile['file'] = {
  darwin: ['/Library/Application Support/ClaudeCode/managed-mcp.json'],
  linux: ['/etc/claude-code/managed-mcp.json'],
  win32: ['<programs>/ClaudeCode/managed-mcp.json'],
};

const EXCLUSIVE = {
  id: 'exclusive',
  text: 'while this file exists, its client ignores the servers of all other files',
} as const satisfies Remark;

export const claudeCode: Client = {
  id: 'claude-code',
  name: 'Claude Code',
  infoName: /^claude-code/i,
  isDesktopApp: false,
  locations: [
    { ...stateFile, id: 'user', scope: 'user', tables: [['mcpServers']] },
    {
      ...stateFile,
      id: 'local',
      scope: 'local',
      hides: { location: 'project', refused: 'disabledMcpjsonServers' },
      tables: [['projects', '*', 'mcpServers']],
    },
    {
      id: 'project',
      scope: 'project',
      file: ['<project>/.mcp.json'],
      syntax: STRICT,
      tables: [['mcpServers']],
      shape,
      lock: NO_LOCK,
      isShared: true,
      remarks: [
        { id: 'approval-kept', text: 'servers of a project are approved by name, so that approvals stay' },
        { id: 'other-readers', text: 'other clients read this file too' },
        SHARED_FILE,
      ],
    },
    ...pluginFiles({
      folders: ['$CLAUDE_CODE_PLUGIN_CACHE_DIR', '$CLAUDE_CONFIG_DIR/plugins/cache', '~/.claude/plugins/cache'],
      servers: '.mcp.json',
      manifest: '.claude-plugin/plugin.json',
      syntax: STRICT,
      shape,
    }),
    {
      id: 'managed',
      scope: 'managed',
      file: MANAGED_SERVERS,
      syntax: STRICT,
      tables: [['mcpServers']],
      shape,
      lock: NO_LOCK,
      remarks: [EXCLUSIVE],
    },
  ],
  policyFiles: [
    ...['managed-settings.json', 'managed-settings.d/*.json'].map((name): PolicyFile => ({
      file: {
        darwin: [`/Library/Application Support/ClaudeCode/${name}`],
        linux: [`/etc/claude-code/${name}`],
        win32: [`<programs>/ClaudeCode/${name}`],
      },
      ...MCP_LISTS,
    })),
    { file: MANAGED_SERVERS, syntax: STRICT, keys: ['mcpServers'], remark: EXCLUSIVE },
    deviceProfile('com.anthropic.claudecode'),
  ],
  remarks: [
    { id: 'rewrites-file', text: 'a running session may write back the config it holds: close sessions first' },
    { id: 'restart', text: 'running sessions keep their servers until they are started again' },
  ],
};

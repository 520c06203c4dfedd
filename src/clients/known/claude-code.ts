import { type Client, type Location, NO_LOCK, PLUGIN_CACHE, SHARED_FILE, STRICT } from '../client.ts';

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
    {
      id: 'plugins',
      scope: 'user',
      file: [
        '$CLAUDE_CODE_PLUGIN_CACHE_DIR/**/.mcp.json',
        '$CLAUDE_CONFIG_DIR/plugins/cache/**/.mcp.json',
        '~/.claude/plugins/cache/**/.mcp.json',
      ],
      syntax: STRICT,
      tables: [['mcpServers']],
      shape,
      lock: NO_LOCK,
      isPluginCache: true,
      remarks: [PLUGIN_CACHE],
    },
    {
      id: 'managed',
      scope: 'managed',
      file: {
        darwin: ['/Library/Application Support/ClaudeCode/managed-mcp.json'],
        linux: ['/etc/claude-code/managed-mcp.json'],
        win32: ['<programs>/ClaudeCode/managed-mcp.json'],
      },
      syntax: STRICT,
      tables: [['mcpServers']],
      shape,
      lock: NO_LOCK,
      remarks: [{ id: 'exclusive', text: 'while this file exists, servers from all other files are ignored' }],
    },
  ],
  policyFiles: [
    {
      file: {
        darwin: ['/Library/Application Support/ClaudeCode/managed-settings.json'],
        linux: ['/etc/claude-code/managed-settings.json'],
        win32: ['<programs>/ClaudeCode/managed-settings.json'],
      },
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
};

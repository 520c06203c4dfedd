import { type Client, type Location, NO_LOCK, STRICT } from '../client.ts';

const config = {
  scope: 'user',
  syntax: STRICT,
  tables: [['mcpServers']],
  shape: { stdio: 'command', env: 'env', urls: ['serverUrl', 'url'], disabled: { key: 'disabled', when: true } },
  lock: NO_LOCK,
} satisfies Partial<Location>;

export const windsurf: Client = {
  id: 'windsurf',
  name: 'Windsurf',
  infoName: /windsurf|codeium/i,
  isDesktopApp: true,
  locations: [
    { ...config, id: 'user', file: ['~/.codeium/windsurf/mcp_config.json'] },
    { ...config, id: 'user-jetbrains', file: ['~/.codeium/mcp_config.json'] },
  ],
  remarks: [
    { id: 'restart', text: 'changes count after "Refresh" in its list of servers' },
    { id: 'allow-list', text: "an administrator's allow-list matches the full command, which a wrapped server no longer has" },
  ],
};

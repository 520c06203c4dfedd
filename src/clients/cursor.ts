import { LENIENT, type Client, type Location } from './client.ts';
import { NO_LOCK, PLAIN } from './json-shapes.ts';

const config = { syntax: LENIENT, tables: [['mcpServers']], shape: PLAIN, lock: NO_LOCK } satisfies Partial<Location>;

export const cursor: Client = {
  id: 'cursor',
  name: 'Cursor',
  isDesktopApp: true,
  locations: [
    { ...config, id: 'user', scope: 'user', file: ['~/.cursor/mcp.json'] },
    {
      ...config,
      id: 'project',
      scope: 'project',
      file: ['<project>/.cursor/mcp.json'],
      isShared: true,
      remarks: [
        { id: 'shared-file', text: 'the file is usually committed: absolute paths in it do not exist on other machines' },
      ],
    },
    {
      ...config,
      id: 'plugins',
      scope: 'user',
      file: ['~/.cursor/plugins/**/mcp.json'],
      isPluginCache: true,
      remarks: [{ id: 'plugin-cache', text: "the plugin's next update overwrites this file, and with it any change" }],
    },
  ],
  remarks: [
    { id: 'approval-reset', text: 'approvals belong to the exact entry: Cursor asks again for each changed server' },
    { id: 'allow-list', text: "a team's allow-list of servers may not match wrapped ones" },
  ],
};

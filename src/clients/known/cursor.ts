import { type Client, LENIENT, type Location, NO_LOCK, PLAIN, SHARED_FILE } from '../client.ts';
import { pluginFiles } from '../plugin-files.ts';

const config = { syntax: LENIENT, tables: [['mcpServers']], shape: PLAIN, lock: NO_LOCK } satisfies Partial<Location>;

export const cursor: Client = {
  id: 'cursor',
  name: 'Cursor',
  infoName: /^cursor/i,
  isDesktopApp: true,
  locations: [
    { ...config, id: 'user', scope: 'user', file: ['~/.cursor/mcp.json'] },
    {
      ...config,
      id: 'project',
      scope: 'project',
      file: ['<project>/.cursor/mcp.json'],
      isShared: true,
      remarks: [SHARED_FILE],
    },
    ...pluginFiles({
      folders: ['~/.cursor/plugins'],
      servers: 'mcp.json',
      manifest: '.cursor-plugin/plugin.json',
      syntax: LENIENT,
      shape: PLAIN,
    }),
  ],
  remarks: [
    { id: 'approval-reset', text: 'approvals belong to the exact entry: Cursor asks again for each changed server' },
    { id: 'allow-list', text: "a team's allow-list of servers may not match wrapped ones" },
  ],
};

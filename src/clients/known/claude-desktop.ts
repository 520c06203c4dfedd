import { type Client, type Location, NO_LOCK, STRICT } from '../client.ts';

const config = {
  scope: 'user',
  syntax: STRICT,
  tables: [['mcpServers']],
  // Remote servers are connectors of the account and stand in no file.
  shape: { stdio: 'command', env: 'env', urls: [] },
  lock: NO_LOCK,
  isRewrittenByClient: true,
} satisfies Partial<Location>;

/** The app, on Linux its unofficial builds. */
export const claudeDesktop: Client = {
  id: 'claude-desktop',
  name: 'Claude Desktop',
  infoName: /^claude(?:-ai| desktop|-desktop)/i,
  isDesktopApp: true,
  locations: [
    { ...config, id: 'user', file: ['<data>/Claude/claude_desktop_config.json'] },
    {
      ...config,
      id: 'user-store',
      file: { win32: ['<local>/Packages/Claude_*/LocalCache/Roaming/Claude/claude_desktop_config.json'] },
      remarks: [
        {
          id: 'store-package',
          text: 'the packaged app reads its own copy of the config below Packages, whatever "Edit Config" opens',
        },
      ],
    },
  ],
  remarks: [
    { id: 'quit-first', text: 'quit the app completely before: it keeps the config in memory and writes it back' },
    { id: 'restart', text: 'changes count after a restart of the app' },
    { id: 'plugin-cache', text: 'servers from desktop extensions are started by the app itself and are not in this file' },
  ],
};

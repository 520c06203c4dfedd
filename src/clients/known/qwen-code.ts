import { type Client, COMMENTS, type Location, NO_LOCK, PLUGIN_CACHE, SHARED_FILE } from '../client.ts';

const config = {
  syntax: COMMENTS,
  tables: [['mcpServers']],
  shape: { stdio: 'command', env: 'env', urls: ['httpUrl', 'url'] },
  lock: NO_LOCK,
} satisfies Partial<Location>;

/** A fork of Gemini CLI, with its settings in folders of its own. */
export const qwenCode: Client = {
  id: 'qwen-code',
  name: 'Qwen Code',
  infoName: /^qwen/i,
  isDesktopApp: false,
  locations: [
    { ...config, id: 'user', scope: 'user', file: ['~/.qwen/settings.json'] },
    {
      ...config,
      id: 'project',
      scope: 'project',
      file: ['<project>/.qwen/settings.json'],
      isShared: true,
      remarks: [SHARED_FILE],
    },
    {
      ...config,
      id: 'extensions',
      scope: 'user',
      file: ['~/.qwen/extensions/*/qwen-extension.json'],
      isPluginCache: true,
      remarks: [PLUGIN_CACHE],
    },
  ],
  remarks: [{ id: 'restart', text: 'changes count from the next start' }],
};

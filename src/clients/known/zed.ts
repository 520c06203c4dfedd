import { type Client, LENIENT, type Location, NO_LOCK, SHARED_FILE } from '../client.ts';

const config = {
  syntax: LENIENT,
  tables: [['context_servers']],
  shape: { stdio: 'command-or-path', env: 'env', urls: ['url'], disabled: { key: 'enabled', when: false }, mayLackCommand: true },
  lock: NO_LOCK,
} satisfies Partial<Location>;

export const zed: Client = {
  id: 'zed',
  name: 'Zed',
  infoName: /^zed/i,
  isDesktopApp: true,
  locations: [
    {
      ...config,
      id: 'user',
      scope: 'user',
      file: {
        darwin: ['<config>/zed/settings.json'],
        linux: ['<config>/zed/settings.json'],
        win32: ['<data>/Zed/settings.json'],
      },
    },
    {
      ...config,
      id: 'project',
      scope: 'project',
      file: ['<project>/.zed/settings.json'],
      isShared: true,
      remarks: [SHARED_FILE],
    },
  ],
  remarks: [{ id: 'plugin-cache', text: 'servers from extensions have no command here and can only be replaced, not wrapped' }],
};

import { type Client, NO_LOCK } from '../client.ts';

export const openclaw: Client = {
  id: 'openclaw',
  name: 'OpenClaw',
  infoName: /^openclaw/i,
  isDesktopApp: false,
  locations: [
    {
      id: 'user',
      scope: 'user',
      file: ['~/.openclaw/openclaw.json'],
      syntax: 'json5',
      tables: [['mcp', 'servers']],
      shape: { stdio: 'command', env: 'env', urls: ['url'], disabled: { key: 'enabled', when: false } },
      lock: NO_LOCK,
    },
  ],
  remarks: [{ id: 'plugin-cache', text: 'servers in files that the config includes are not wrapped' }],
};

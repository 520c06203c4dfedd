import { type Client, NO_LOCK } from '../client.ts';

export const goose: Client = {
  id: 'goose',
  name: 'Goose',
  infoName: /^goose/i,
  isDesktopApp: true,
  locations: [
    {
      id: 'user',
      scope: 'user',
      file: {
        darwin: ['<config>/goose/config.yaml'],
        linux: ['<config>/goose/config.yaml'],
        win32: ['<data>/Block/goose/config/config.yaml'],
      },
      syntax: 'yaml',
      tables: [['extensions']],
      shape: {
        stdio: 'cmd',
        env: 'envs',
        urls: ['uri'],
        disabled: { key: 'enabled', when: false },
        otherTypes: ['builtin', 'platform', 'frontend', 'inline_python'],
      },
      lock: NO_LOCK,
      isRewrittenByClient: true,
    },
  ],
  remarks: [
    { id: 'allow-list', text: 'GOOSE_ALLOWLIST names exact commands, which a wrapped extension no longer has' },
    { id: 'package-check', text: 'Goose looks up known malware only for commands such as npx, and so for no wrapped extension' },
    { id: 'rewrites-file', text: 'it writes the file anew when you change a setting, without comments' },
    { id: 'plugin-cache', text: 'extensions of recipes and of the command line are not in this file' },
  ],
};

import { type Client, LENIENT, type Location, NO_LOCK, SHARED_FILE } from '../client.ts';

const config = {
  syntax: LENIENT,
  tables: [['mcp']],
  shape: { stdio: 'argv', env: 'environment', urls: ['url'], disabled: { key: 'enabled', when: false }, mayLackCommand: true },
  lock: NO_LOCK,
  isRewrittenByClient: true,
} satisfies Partial<Location>;

const NAMES = ['opencode.json', 'opencode.jsonc'];

const shared = {
  isShared: true,
  remarks: [SHARED_FILE],
} as const satisfies Partial<Location>;

export const opencode: Client = {
  id: 'opencode',
  name: 'opencode',
  infoName: /^opencode/i,
  isDesktopApp: false,
  locations: [
    ...['config.json', ...NAMES].map((name): Location => ({
      ...config,
      id: `user/${name}`,
      scope: 'user',
      file: [`<config>/opencode/${name}`],
    })),
    ...NAMES.map((name): Location => ({ ...config, id: `home/${name}`, scope: 'user', file: [`~/.opencode/${name}`] })),
    { ...config, id: 'variable', scope: 'user', file: ['$OPENCODE_CONFIG'] },
    ...NAMES.map((name): Location => ({
      ...config,
      id: `folder/${name}`,
      scope: 'user',
      file: [`$OPENCODE_CONFIG_DIR/${name}`],
    })),
    ...NAMES.map((name): Location => ({
      ...config,
      ...shared,
      id: `project/${name}`,
      scope: 'project',
      file: [`<project>/${name}`],
    })),
    ...NAMES.map((name): Location => ({
      ...config,
      ...shared,
      id: `project-folder/${name}`,
      scope: 'project',
      file: [`<project>/.opencode/${name}`],
    })),
    ...NAMES.map((name): Location => ({
      ...config,
      id: `managed/${name}`,
      scope: 'managed',
      file: {
        darwin: [`/Library/Application Support/opencode/${name}`],
        linux: [`/etc/opencode/${name}`],
        win32: [`<shared>/opencode/${name}`],
      },
    })),
  ],
  remarks: [
    { id: 'rewrites-file', text: 'it puts "$schema" into a config that has none' },
    { id: 'restart', text: 'changes count from the next start' },
  ],
};

import { type Client, LENIENT, type Location, NO_LOCK, PLAIN, SHARED_FILE } from '../client.ts';

const config = { syntax: 'yaml', tables: [['mcpServers']], shape: PLAIN, lock: NO_LOCK } satisfies Partial<Location>;

const BLOCKS = [
  { name: '*.yaml', syntax: 'yaml' },
  { name: '*.yml', syntax: 'yaml' },
  { name: '*.json', syntax: LENIENT },
] as const;

export const continueDev: Client = {
  id: 'continue',
  name: 'Continue',
  infoName: /^continue/i,
  isDesktopApp: true,
  locations: [
    { ...config, id: 'user', scope: 'user', file: ['$CONTINUE_GLOBAL_DIR/config.yaml', '~/.continue/config.yaml'] },
    ...BLOCKS.map(({ name, syntax }): Location => ({
      ...config,
      syntax,
      id: `user-blocks/${name.slice(2)}`,
      scope: 'user',
      file: [`$CONTINUE_GLOBAL_DIR/mcpServers/${name}`, `~/.continue/mcpServers/${name}`],
    })),
    ...BLOCKS.map(({ name, syntax }): Location => ({
      ...config,
      syntax,
      id: `project-blocks/${name.slice(2)}`,
      scope: 'project',
      file: [`<project>/.continue/mcpServers/${name}`],
      isShared: true,
      remarks: [SHARED_FILE],
    })),
  ],
  remarks: [{ id: 'plugin-cache', text: 'blocks from its hub ("uses:") are on no disk, and can not be wrapped' }],
};

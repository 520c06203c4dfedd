import { type Client, type Location, NO_LOCK, SHARED_FILE, STRICT } from '../client.ts';

const config = {
  syntax: STRICT,
  tables: [['mcp']],
  shape: { stdio: 'command', env: 'env', urls: ['url'], disabled: { key: 'disabled', when: true } },
  lock: NO_LOCK,
} satisfies Partial<Location>;

export const crush: Client = {
  id: 'crush',
  name: 'Crush',
  infoName: /^crush/i,
  isDesktopApp: false,
  locations: [
    { ...config, id: 'user', scope: 'user', file: ['<config>/crush/crush.json'] },
    ...['crush.json', '.crush.json'].map((name): Location => ({
      ...config,
      id: `project/${name}`,
      scope: 'project',
      file: [`<project>/${name}`],
      isShared: true,
      remarks: [SHARED_FILE],
    })),
  ],
  remarks: [{ id: 'restart', text: 'changes count from the next start' }],
};

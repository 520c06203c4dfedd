import { type Client, LENIENT, type Location, NO_LOCK, SHARED_FILE, STRICT } from '../client.ts';

/** Roo Code, and Kilo Code up to the version that is built on opencode. */
const config = {
  syntax: STRICT,
  tables: [['mcpServers']],
  shape: { stdio: 'command', env: 'env', urls: ['url'], disabled: { key: 'disabled', when: true } },
  lock: NO_LOCK,
} satisfies Partial<Location>;

const shared = { ...config, scope: 'project', isShared: true, remarks: [SHARED_FILE] } as const satisfies Partial<Location>;

const settings = 'settings/mcp_settings.json';

export const kilo: Client = {
  id: 'kilo',
  name: 'Kilo Code',
  infoName: /^kilo/i,
  isDesktopApp: true,
  locations: [
    {
      id: 'user',
      scope: 'user',
      file: ['<config>/kilo/kilo.json'],
      syntax: LENIENT,
      tables: [['mcp']],
      shape: {
        stdio: 'argv',
        env: 'environment',
        urls: ['url'],
        disabled: { key: 'enabled', when: false },
        mayLackCommand: true,
      },
      lock: NO_LOCK,
      isRewrittenByClient: true,
    },
    { ...config, id: 'legacy', scope: 'user', file: [`<data>/Code/User/globalStorage/kilocode.kilo-code/${settings}`] },
    { ...config, id: 'legacy-cli', scope: 'user', file: [`~/.kilocode/cli/global/${settings}`] },
    { ...shared, id: 'project', file: ['<project>/.kilocode/mcp.json'] },
  ],
};

export const rooCode: Client = {
  id: 'roo',
  name: 'Roo Code',
  infoName: /^roo/i,
  isDesktopApp: true,
  locations: [
    { ...config, id: 'user', scope: 'user', file: [`<data>/Code/User/globalStorage/rooveterinaryinc.roo-cline/${settings}`] },
    { ...shared, id: 'project', file: ['<project>/.roo/mcp.json'] },
  ],
};

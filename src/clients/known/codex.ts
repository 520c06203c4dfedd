import { type Client, type Location, NO_LOCK, PLAIN, SHARED_FILE, STRICT } from '../client.ts';
import { pluginFiles } from '../plugin-files.ts';
import { deviceProfile } from '../policy-files.ts';

const config = {
  syntax: 'toml',
  tables: [['mcp_servers'], ['profiles', '*', 'mcp_servers']],
  shape: {
    stdio: 'command',
    env: 'env',
    urls: ['url'],
    disabled: { key: 'enabled', when: false },
    // A profile or a project can change a setting of a server that the user's file has.
    mayLackCommand: true,
  },
  lock: NO_LOCK,
} satisfies Partial<Location>;

export const codex: Client = {
  id: 'codex',
  name: 'Codex',
  infoName: /^codex/i,
  isDesktopApp: false,
  locations: [
    {
      ...config,
      id: 'user',
      scope: 'user',
      file: ['$CODEX_HOME/config.toml', '~/.codex/config.toml'],
      isRewrittenByClient: true,
    },
    {
      ...config,
      id: 'project',
      scope: 'project',
      file: ['<project>/.codex/config.toml'],
      isShared: true,
      remarks: [
        { id: 'approval-kept', text: 'Codex reads the config of a project only where you trust the project' },
        { id: 'other-readers', text: 'Warp reads this file too' },
        SHARED_FILE,
      ],
    },
    {
      ...config,
      id: 'managed',
      scope: 'managed',
      file: {
        darwin: ['/etc/codex/config.toml'],
        linux: ['/etc/codex/config.toml'],
        win32: ['<shared>/OpenAI/Codex/config.toml'],
      },
    },
    {
      ...config,
      id: 'managed-override',
      scope: 'managed',
      file: { darwin: ['/etc/codex/managed_config.toml'], linux: ['/etc/codex/managed_config.toml'] },
    },
    ...pluginFiles({
      folders: ['$CODEX_HOME/plugins', '~/.codex/plugins'],
      servers: '.mcp.json',
      manifest: '.codex-plugin/plugin.json',
      syntax: STRICT,
      shape: PLAIN,
    }),
  ],
  policyFiles: [
    {
      file: { darwin: ['/etc/codex/requirements.toml'], linux: ['/etc/codex/requirements.toml'] },
      syntax: 'toml',
      keys: ['mcp_servers'],
      remark: {
        id: 'allow-list',
        text: 'an administrator allows servers by name and exact command, and can list there what `clawai wrap` writes',
      },
    },
    deviceProfile('com.openai.codex'),
  ],
  remarks: [
    {
      id: 'environment-stripped',
      text: 'servers get few variables: HOME, PATH and the like, and those that their entry has in "env" or "env_vars"',
    },
    { id: 'restart', text: 'changes count from the next start' },
  ],
};

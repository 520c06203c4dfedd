import { type Client, COMMENTS, type Location, NO_LOCK, PLUGIN_CACHE, SHARED_FILE } from '../client.ts';

const config = {
  syntax: COMMENTS,
  tables: [['mcpServers']],
  // The URL keys stand in the order in which the CLI looks for them.
  shape: { stdio: 'command', env: 'env', urls: ['httpUrl', 'url'] },
  lock: NO_LOCK,
  remarks: [
    {
      id: 'minted-tokens',
      ifEntryHas: 'authProviderType',
      text: 'tokens are made for the exact URL, so that another URL may stop the login',
    },
  ],
} satisfies Partial<Location>;

export const geminiCli: Client = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  infoName: /^gemini/i,
  isDesktopApp: false,
  locations: [
    { ...config, id: 'user', scope: 'user', file: ['$GEMINI_CLI_HOME/.gemini/settings.json', '~/.gemini/settings.json'] },
    {
      ...config,
      id: 'project',
      scope: 'project',
      file: ['<project>/.gemini/settings.json'],
      isShared: true,
      remarks: [...config.remarks, SHARED_FILE],
    },
    {
      ...config,
      id: 'extensions',
      scope: 'user',
      file: ['$GEMINI_CLI_HOME/.gemini/extensions/*/gemini-extension.json', '~/.gemini/extensions/*/gemini-extension.json'],
      isPluginCache: true,
      remarks: [...config.remarks, PLUGIN_CACHE],
    },
    {
      ...config,
      id: 'managed',
      scope: 'managed',
      file: {
        darwin: ['$GEMINI_CLI_SYSTEM_SETTINGS_PATH', '/Library/Application Support/GeminiCli/settings.json'],
        linux: ['$GEMINI_CLI_SYSTEM_SETTINGS_PATH', '/etc/gemini-cli/settings.json'],
        win32: ['$GEMINI_CLI_SYSTEM_SETTINGS_PATH', '<shared>/gemini-cli/settings.json'],
      },
    },
    {
      ...config,
      id: 'managed-defaults',
      scope: 'managed',
      file: {
        darwin: ['$GEMINI_CLI_SYSTEM_DEFAULTS_PATH', '/Library/Application Support/GeminiCli/system-defaults.json'],
        linux: ['$GEMINI_CLI_SYSTEM_DEFAULTS_PATH', '/etc/gemini-cli/system-defaults.json'],
        win32: ['$GEMINI_CLI_SYSTEM_DEFAULTS_PATH', '<shared>/gemini-cli/system-defaults.json'],
      },
    },
  ],
  remarks: [
    {
      id: 'environment-stripped',
      text: 'variables whose names look like secrets reach a server only if its entry has them in "env"',
    },
    { id: 'restart', text: 'changes count from the next start' },
  ],
};

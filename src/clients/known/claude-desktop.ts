import { type Client, type Location, NO_LOCK, STRICT } from '../client.ts';
import { deviceProfile } from '../policy-files.ts';

const config = {
  scope: 'user',
  syntax: STRICT,
  tables: [['mcpServers']],
  // Remote servers are connectors of the account and stand in no file.
  shape: { stdio: 'command', env: 'env', urls: [] },
  lock: NO_LOCK,
  isRewrittenByClient: true,
} satisfies Partial<Location>;

/** The manifests of installed extensions (MCPB). The app keeps copies of them, with hashes, and starts what those say. */
const extensions = {
  scope: 'user',
  syntax: STRICT,
  tables: [['server']],
  only: 'mcp_config',
  shape: config.shape,
  lock: NO_LOCK,
  isPluginCache: true,
} satisfies Partial<Location>;

const STORE = '<local>/Packages/Claude_*/LocalCache/Roaming/Claude';

/** The app, on Linux its unofficial builds. */
export const claudeDesktop: Client = {
  id: 'claude-desktop',
  name: 'Claude Desktop',
  infoName: /^claude(?:-ai| desktop|-desktop)/i,
  isDesktopApp: true,
  locations: [
    { ...config, id: 'user', file: ['<data>/Claude/claude_desktop_config.json'] },
    {
      ...config,
      id: 'user-store',
      file: { win32: [`${STORE}/claude_desktop_config.json`] },
      remarks: [
        {
          id: 'store-package',
          text: 'the packaged app reads its own copy of the config below Packages, whatever "Edit Config" opens',
        },
      ],
    },
    { ...extensions, id: 'extensions', file: ['<data>/Claude/Claude Extensions/*/manifest.json'] },
    { ...extensions, id: 'extensions-store', file: { win32: [`${STORE}/Claude Extensions/*/manifest.json`] } },
  ],
  policyFiles: [deviceProfile('com.anthropic.claudefordesktop')],
  remarks: [
    { id: 'quit-first', text: 'quit the app completely before: it keeps the config in memory and writes it back' },
    { id: 'restart', text: 'changes count after a restart of the app' },
  ],
};

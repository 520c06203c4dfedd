import { type Client, LENIENT, type Location, NO_LOCK, PLAIN, SHARED_FILE } from '../client.ts';
import { pluginFiles } from '../plugin-files.ts';
import { COPILOT_SETTINGS } from '../policy-files.ts';

const config = { syntax: LENIENT, tables: [['mcpServers']], shape: PLAIN, lock: NO_LOCK } satisfies Partial<Location>;

const project = { ...config, scope: 'project', isShared: true } as const satisfies Partial<Location>;

export const copilotCli: Client = {
  id: 'copilot-cli',
  name: 'Copilot CLI',
  infoName: /copilot/i,
  isDesktopApp: false,
  locations: [
    { ...config, id: 'user', scope: 'user', file: ['$COPILOT_HOME/mcp-config.json', '~/.copilot/mcp-config.json'] },
    {
      ...project,
      id: 'project',
      file: ['<project>/.mcp.json'],
      remarks: [{ id: 'other-readers', text: 'other clients read this file too' }, SHARED_FILE],
    },
    {
      ...project,
      id: 'project-github',
      file: ['<project>/.github/mcp.json'],
      remarks: [{ id: 'legacy', text: 'it is read only where the project has no .mcp.json' }, SHARED_FILE],
    },
    ...pluginFiles({
      folders: ['$COPILOT_HOME/installed-plugins', '~/.copilot/installed-plugins'],
      servers: '.mcp.json',
      manifest: 'plugin.json',
      syntax: LENIENT,
      shape: PLAIN,
    }),
  ],
  policyFiles: [COPILOT_SETTINGS],
  remarks: [
    {
      id: 'environment-stripped',
      text: 'GITHUB_TOKEN, ANTHROPIC_API_KEY and HTTPS_PROXY reach a server only if its entry has them in "env"',
    },
    { id: 'rewrites-file', text: '"copilot mcp add" rewrites the file without its comments' },
    { id: 'restart', text: 'changes count from the next start' },
  ],
};

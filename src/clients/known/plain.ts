import { type Client, COMMENTS, LENIENT, type Location, NO_LOCK, PLAIN, SHARED_FILE, STRICT } from '../client.ts';

/** A client with the shape of Claude Desktop's file, which differs from others only in where it is. */
interface Plain
  extends
    Pick<Client, 'id' | 'name' | 'infoName' | 'isDesktopApp' | 'remarks'>,
    Partial<Pick<Location, 'tables' | 'shape' | 'syntax'>> {
  readonly user?: Readonly<Record<string, Location['file']>>;
  readonly project?: Readonly<Record<string, Location['file']>>;
}

const SWITCHED = { ...PLAIN, disabled: { key: 'disabled', when: true } } as const;

const PLAIN_CLIENTS: readonly Plain[] = [
  {
    id: 'antigravity',
    name: 'Antigravity',
    infoName: /^antigravity/i,
    isDesktopApp: true,
    shape: { ...SWITCHED, urls: ['serverUrl', 'url'] },
    user: { user: ['~/.gemini/config/mcp_config.json'], legacy: ['~/.gemini/antigravity/mcp_config.json'] },
  },
  {
    id: 'junie',
    name: 'JetBrains Junie',
    infoName: /^junie/i,
    isDesktopApp: true,
    user: { user: ['~/.junie/mcp/mcp.json'] },
    project: { project: ['<project>/.junie/mcp/mcp.json'] },
    remarks: [
      {
        id: 'plugin-cache',
        text: 'the AI Assistant of JetBrains keeps its servers in settings of the IDE, which clawai does not edit',
      },
    ],
  },
  {
    id: 'air',
    name: 'JetBrains Air',
    infoName: /^(?:jetbrains )?air/i,
    isDesktopApp: true,
    project: { project: ['<project>/.air/mcp.json'] },
  },
  {
    id: 'amp',
    name: 'Amp',
    infoName: /^amp/i,
    isDesktopApp: false,
    syntax: COMMENTS,
    // One key with a dot in it.
    tables: [['amp.mcpServers']],
    user: {
      user: {
        darwin: ['<config>/amp/settings.json'],
        linux: ['<config>/amp/settings.json'],
        win32: ['<data>/amp/settings.json'],
      },
    },
    project: { project: ['<project>/.amp/settings.json'] },
  },
  {
    id: 'lm-studio',
    name: 'LM Studio',
    infoName: /^lm[ -]?studio/i,
    isDesktopApp: true,
    user: { user: ['~/.lmstudio/mcp.json'], 'user-cache': ['~/.cache/lm-studio/mcp.json'] },
    remarks: [{ id: 'rewrites-file', text: 'it writes the file anew when you change servers in its window' }],
  },
  {
    id: 'warp',
    name: 'Warp',
    infoName: /^warp/i,
    isDesktopApp: true,
    user: { user: ['~/.warp/.mcp.json'] },
    project: { project: ['<project>/.warp/.mcp.json'] },
    remarks: [{ id: 'other-readers', text: 'Warp also reads ~/.claude.json, .mcp.json and .codex/config.toml' }],
  },
  {
    id: 'factory',
    name: 'Factory droid',
    infoName: /^(?:factory|droid)/i,
    isDesktopApp: false,
    shape: SWITCHED,
    user: { user: ['$FACTORY_HOME_OVERRIDE/.factory/mcp.json', '~/.factory/mcp.json'] },
    project: { project: ['<project>/.factory/mcp.json'] },
  },
  {
    id: 'trae',
    name: 'Trae',
    infoName: /^trae/i,
    isDesktopApp: true,
    user: { user: ['<data>/Trae/User/mcp.json'] },
  },
  {
    id: 'kimi',
    name: 'Kimi',
    infoName: /^kimi/i,
    isDesktopApp: false,
    user: { user: ['~/.kimi/mcp.json'], 'user-code': ['~/.kimi-code/mcp.json'] },
  },
  {
    id: 'mistral-vibe',
    name: 'Mistral Vibe',
    infoName: /^(?:mistral[ -]?)?vibe/i,
    isDesktopApp: false,
    syntax: 'toml',
    tables: [['mcp_servers']],
    user: { user: ['~/.vibe/config.toml'] },
  },
  {
    id: 'visual-studio',
    name: 'Visual Studio',
    infoName: /^visual[ -]studio(?![ -]code)/i,
    isDesktopApp: true,
    syntax: LENIENT,
    tables: [['servers']],
    user: { user: { win32: ['~/.mcp.json'] } },
    project: { project: { win32: ['<project>/.vs/mcp.json'] }, 'project-root': { win32: ['<project>/.mcp.json'] } },
  },
];

function toClient({
  user = {},
  project = {},
  syntax = STRICT,
  tables = [['mcpServers']],
  shape = PLAIN,
  ...client
}: Plain): Client {
  const config = { syntax, tables, shape, lock: NO_LOCK };
  return {
    ...client,
    locations: [
      ...Object.entries(user).map(([id, file]): Location => ({ ...config, id, scope: 'user', file })),
      ...Object.entries(project).map(([id, file]): Location => ({
        ...config,
        id,
        scope: 'project',
        file,
        isShared: true,
        remarks: [SHARED_FILE],
      })),
    ],
  };
}

export const plainClients: readonly Client[] = PLAIN_CLIENTS.map(toClient);

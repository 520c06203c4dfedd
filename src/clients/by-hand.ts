import { type EntryShape, type Location, PLAIN } from './client.ts';

/** A file with servers that clawai can read, as far as it has to know what there is, and does not edit. */
export interface ByHandFile {
  readonly scope: 'user' | 'project';
  readonly file: Location['file'];
  readonly format: 'json' | 'toml' | 'yaml';
  /** The places of servers, `*` standing for any key: the members of an object, or the items of a list that have a name. */
  readonly tables: readonly (readonly string[])[];
  /** The form of an entry; if undefined: `command`, `args`, `env` and `url`. */
  readonly shape?: EntryShape | undefined;
}

/** A client that is wrapped by hand. It becomes a `Client` of `clients.ts` once its config can be edited. */
export interface ByHandClient {
  /** The stable id, in kebab-case: `--ignore` takes it. */
  readonly id: string;
  /** The client's name as its maker writes it. */
  readonly name: string;
  readonly files: readonly ByHandFile[];
}

const SERVERS = [['mcpServers']] as const;
const ARGV: EntryShape = { stdio: 'argv', env: 'environment', urls: ['url'], mayLackCommand: true };
const GEMINI: EntryShape = { stdio: 'command', env: 'env', urls: ['httpUrl', 'url'], mayLackCommand: true };

function json(
  scope: ByHandFile['scope'],
  file: ByHandFile['file'],
  tables: ByHandFile['tables'] = SERVERS,
  shape = PLAIN,
): ByHandFile {
  return { scope, file, format: 'json', tables, shape };
}

/** The clients that people use, in the order of reports. */
export const BY_HAND: readonly ByHandClient[] = [
  {
    id: 'codex',
    name: 'Codex',
    files: (
      [
        ['user', ['$CODEX_HOME/config.toml', '~/.codex/config.toml']],
        ['project', ['<project>/.codex/config.toml']],
      ] as const
    ).map(([scope, file]) => ({ scope, file, format: 'toml', tables: [['mcp_servers'], ['profiles', '*', 'mcp_servers']] })),
  },
  {
    id: 'goose',
    name: 'Goose',
    files: [
      {
        scope: 'user',
        file: {
          darwin: ['<config>/goose/config.yaml'],
          linux: ['<config>/goose/config.yaml'],
          win32: ['<data>/Block/goose/config/config.yaml'],
        },
        format: 'yaml',
        tables: [['extensions']],
      },
    ],
  },
  {
    id: 'continue',
    name: 'Continue',
    files: [
      ...['config.yaml', 'mcpServers/*.yaml', 'mcpServers/*.yml'].map((name): ByHandFile => ({
        scope: 'user',
        file: [`$CONTINUE_GLOBAL_DIR/${name}`, `~/.continue/${name}`],
        format: 'yaml',
        tables: SERVERS,
      })),
      ...['*.yaml', '*.yml'].map((name): ByHandFile => ({
        scope: 'project',
        file: [`<project>/.continue/mcpServers/${name}`],
        format: 'yaml',
        tables: SERVERS,
      })),
      json('user', ['$CONTINUE_GLOBAL_DIR/mcpServers/*.json', '~/.continue/mcpServers/*.json']),
      json('project', ['<project>/.continue/mcpServers/*.json']),
    ],
  },
  {
    id: 'kiro',
    name: 'Kiro',
    files: (['user', 'project'] as const).map((scope) =>
      json(scope, [`${scope === 'user' ? '~' : '<project>'}/.kiro/settings/mcp.json`], [...SERVERS, ['powers', 'mcpServers']]),
    ),
  },
  {
    id: 'amazon-q',
    name: 'Amazon Q',
    files: [
      json('user', ['~/.aws/amazonq/mcp.json']),
      json('user', ['~/.aws/amazonq/cli-agents/*.json']),
      json('project', ['<project>/.amazonq/mcp.json']),
    ],
  },
  {
    id: 'antigravity',
    name: 'Antigravity',
    files: ['antigravity', 'config'].map((folder) =>
      json('user', [`~/.gemini/${folder}/mcp_config.json`], SERVERS, { ...PLAIN, urls: ['serverUrl', 'url'] }),
    ),
  },
  {
    id: 'qwen-code',
    name: 'Qwen Code',
    files: [
      json('user', ['~/.qwen/settings.json'], SERVERS, GEMINI),
      json('project', ['<project>/.qwen/settings.json'], SERVERS, GEMINI),
    ],
  },
  {
    id: 'crush',
    name: 'Crush',
    files: [
      json('user', ['<config>/crush/crush.json'], [['mcp']]),
      ...['crush.json', '.crush.json'].map((name) => json('project', [`<project>/${name}`], [['mcp']])),
    ],
  },
  {
    id: 'kilo',
    name: 'Kilo Code',
    files: [
      json('user', ['<config>/kilo/kilo.json'], [['mcp']], ARGV),
      json('user', ['<data>/Code/User/globalStorage/kilocode.kilo-code/settings/mcp_settings.json']),
      json('project', ['<project>/.kilocode/mcp.json']),
    ],
  },
  {
    id: 'roo',
    name: 'Roo Code',
    files: [
      json('user', ['<data>/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json']),
      json('project', ['<project>/.roo/mcp.json']),
    ],
  },
  {
    id: 'junie',
    name: 'JetBrains Junie',
    files: [json('user', ['~/.junie/mcp/mcp.json']), json('project', ['<project>/.junie/mcp/mcp.json'])],
  },
  {
    id: 'amp',
    name: 'Amp',
    files: [
      json(
        'user',
        {
          darwin: ['<config>/amp/settings.json'],
          linux: ['<config>/amp/settings.json'],
          win32: ['<data>/amp/settings.json'],
        },
        [['amp.mcpServers']],
      ),
      json('project', ['<project>/.amp/settings.json'], [['amp.mcpServers']]),
    ],
  },
  { id: 'lm-studio', name: 'LM Studio', files: [json('user', ['~/.lmstudio/mcp.json'])] },
  { id: 'warp', name: 'Warp', files: [json('user', ['~/.warp/.mcp.json']), json('project', ['<project>/.warp/.mcp.json'])] },
  {
    id: 'factory',
    name: 'Factory droid',
    files: [json('user', ['~/.factory/mcp.json']), json('project', ['<project>/.factory/mcp.json'])],
  },
  { id: 'openclaw', name: 'OpenClaw', files: [json('user', ['~/.openclaw/openclaw.json'], [['mcp', 'servers']])] },
  { id: 'trae', name: 'Trae', files: [json('user', ['<data>/Trae/User/mcp.json'])] },
  { id: 'kimi', name: 'Kimi', files: ['.kimi', '.kimi-code'].map((folder) => json('user', [`~/${folder}/mcp.json`])) },
  {
    id: 'mistral-vibe',
    name: 'Mistral Vibe',
    files: [{ scope: 'user', file: ['~/.vibe/config.toml'], format: 'toml', tables: [['mcp_servers']] }],
  },
  { id: 'visual-studio', name: 'Visual Studio', files: [json('user', { win32: ['~/.mcp.json'] }, [['servers']])] },
];

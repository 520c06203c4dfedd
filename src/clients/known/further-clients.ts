import { COMMENTS, LENIENT, PLAIN } from '../client.ts';
import { ARGV, type ClientRow, named, NEXT_START, perPlatform, SWITCHED } from './row.ts';

/** Kiro and Amazon Q have one maker. */
const AWS_REMARKS = [
  { id: 'allow-list', text: "an administrator's registry may not have wrapped servers" },
  NEXT_START,
] as const satisfies ClientRow['remarks'];

const KIRO_TABLES = [['mcpServers'], ['powers', 'mcpServers']];

/** Folders of extensions of VS Code, and the file that Roo Code and what is built on it have there. */
const EXTENSIONS = '<data>/Code/User/globalStorage';
const ROO = 'settings/mcp_settings.json';

const CONTINUE_BLOCKS = ['yaml', 'yml', 'json'];

/** The other clients, in the order of reports. */
export const FURTHER_CLIENTS: readonly ClientRow[] = [
  {
    id: 'goose',
    name: 'Goose',
    infoName: /^goose/i,
    isDesktopApp: true,
    syntax: 'yaml',
    tables: [['extensions']],
    shape: {
      stdio: 'cmd',
      env: 'envs',
      urls: ['uri'],
      disabled: { key: 'enabled', when: false },
      otherTypes: ['builtin', 'platform', 'frontend', 'inline_python'],
    },
    isRewrittenByClient: true,
    user: {
      user: perPlatform('<config>/goose/config.yaml', '<config>/goose/config.yaml', '<data>/Block/goose/config/config.yaml'),
    },
    remarks: [
      { id: 'allow-list', text: 'GOOSE_ALLOWLIST names exact commands, which a wrapped extension no longer has' },
      {
        id: 'package-check',
        text: 'Goose looks up known malware only for commands such as npx, and so for no wrapped extension',
      },
      { id: 'rewrites-file', text: 'it writes the file anew when you change a setting, without comments' },
      { id: 'plugin-cache', text: 'extensions of recipes and of the command line are not in this file' },
    ],
  },
  {
    id: 'continue',
    name: 'Continue',
    infoName: /^continue/i,
    isDesktopApp: true,
    syntax: 'yaml',
    user: {
      user: ['$CONTINUE_GLOBAL_DIR/config.yaml', '~/.continue/config.yaml'],
      ...named(CONTINUE_BLOCKS, 'user-blocks', (end) => ({
        file: [`$CONTINUE_GLOBAL_DIR/mcpServers/*.${end}`, `~/.continue/mcpServers/*.${end}`],
        syntax: end === 'json' ? LENIENT : 'yaml',
      })),
    },
    project: named(CONTINUE_BLOCKS, 'project-blocks', (end) => ({
      file: [`<project>/.continue/mcpServers/*.${end}`],
      syntax: end === 'json' ? LENIENT : 'yaml',
    })),
    remarks: [{ id: 'plugin-cache', text: 'blocks from its hub ("uses:") are on no disk, and can not be wrapped' }],
  },
  {
    id: 'kiro',
    name: 'Kiro',
    infoName: /^kiro/i,
    isDesktopApp: true,
    shape: SWITCHED,
    user: { user: { file: ['~/.kiro/settings/mcp.json'], tables: KIRO_TABLES }, agents: ['~/.kiro/agents/*.json'] },
    project: {
      project: { file: ['<project>/.kiro/settings/mcp.json'], tables: KIRO_TABLES },
      'project-agents': ['<project>/.kiro/agents/*.json'],
    },
    remarks: AWS_REMARKS,
  },
  {
    id: 'amazon-q',
    name: 'Amazon Q',
    infoName: /^(?:amazon[ -]?q|q[ -](?:cli|dev))/i,
    isDesktopApp: true,
    shape: SWITCHED,
    user: {
      user: ['~/.aws/amazonq/mcp.json'],
      agents: ['~/.aws/amazonq/cli-agents/*.json'],
      'editor-agents': ['~/.aws/amazonq/agents/*.json'],
      legacy: ['~/.aws/amazonq/profiles/*/mcp.json'],
    },
    project: { project: ['<project>/.amazonq/mcp.json'], 'project-agents': ['<project>/.amazonq/cli-agents/*.json'] },
    remarks: AWS_REMARKS,
  },
  {
    // A fork of Gemini CLI, with its settings in folders of its own.
    id: 'qwen-code',
    name: 'Qwen Code',
    infoName: /^qwen/i,
    syntax: COMMENTS,
    shape: { ...PLAIN, urls: ['httpUrl', 'url'] },
    user: { user: ['~/.qwen/settings.json'] },
    project: { project: ['<project>/.qwen/settings.json'] },
    plugins: { extensions: ['~/.qwen/extensions/*/qwen-extension.json'] },
    remarks: [NEXT_START],
  },
  {
    id: 'crush',
    name: 'Crush',
    infoName: /^crush/i,
    tables: [['mcp']],
    shape: SWITCHED,
    user: { user: ['<config>/crush/crush.json'] },
    project: named(['crush.json', '.crush.json'], 'project', '<project>/*'),
    remarks: [NEXT_START],
  },
  {
    // It is built on opencode now, and was on Roo Code.
    id: 'kilo',
    name: 'Kilo Code',
    infoName: /^kilo/i,
    isDesktopApp: true,
    shape: SWITCHED,
    user: {
      user: { file: ['<config>/kilo/kilo.json'], syntax: LENIENT, tables: [['mcp']], shape: ARGV, isRewrittenByClient: true },
      legacy: [`${EXTENSIONS}/kilocode.kilo-code/${ROO}`],
      'legacy-cli': [`~/.kilocode/cli/global/${ROO}`],
    },
    project: { project: ['<project>/.kilocode/mcp.json'] },
  },
  {
    id: 'roo',
    name: 'Roo Code',
    infoName: /^roo/i,
    isDesktopApp: true,
    shape: SWITCHED,
    user: { user: [`${EXTENSIONS}/rooveterinaryinc.roo-cline/${ROO}`] },
    project: { project: ['<project>/.roo/mcp.json'] },
  },
  {
    id: 'openclaw',
    name: 'OpenClaw',
    infoName: /^openclaw/i,
    syntax: 'json5',
    tables: [['mcp', 'servers']],
    shape: { ...PLAIN, disabled: { key: 'enabled', when: false } },
    user: { user: ['~/.openclaw/openclaw.json'] },
    remarks: [{ id: 'plugin-cache', text: 'servers in files that the config includes are not wrapped' }],
  },
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
    syntax: COMMENTS,
    // One key with a dot in it.
    tables: [['amp.mcpServers']],
    user: {
      user: perPlatform('<config>/amp/settings.json', '<config>/amp/settings.json', '<data>/amp/settings.json'),
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
    user: { user: ['~/.kimi/mcp.json'], 'user-code': ['~/.kimi-code/mcp.json'] },
  },
  {
    id: 'mistral-vibe',
    name: 'Mistral Vibe',
    infoName: /^(?:mistral[ -]?)?vibe/i,
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

import { type ClientStyle, namesIn, toHyphenated } from './client-style.ts';

const PLUGIN = 'plugin_';
const CONNECTOR = 'claude.ai ';
/** Most underscores in a plugin's name; known servers have fewer. */
const MOST_UNDERSCORES = 16;

/** `mcp__server__tool`. A plugin's server is `plugin_<plugin>_<server>`. Seen in 2.1. */
export const claudeCode: ClientStyle = {
  id: 'claude-code',
  // Other agents send its user-agent too, but only it sends the session id.
  isSentBy: ({ userAgent = '', get }) => userAgent.startsWith('claude-cli/') && get('x-claude-code-session-id') !== undefined,
  forms: [{ prefix: 'mcp__', separator: '__', server: spellServer, tool: toHyphenated, serverIn: withoutPlugin, mark: 'prefix' }],
  isBare: false,
  native: namesIn(`
    Agent AskUserQuestion Bash BashOutput CronCreate CronDelete CronList Edit EnterPlanMode EnterWorktree ExitPlanMode
    ExitWorktree Glob Grep KillBash KillShell LS LSP ListMcpResourcesTool Monitor MultiEdit NotebookEdit NotebookRead
    PowerShell Read ReadMcpResourceTool SendMessage Skill SlashCommand StructuredOutput Task TaskCreate TaskGet TaskList
    TaskOutput TaskStop TaskUpdate TeamCreate TeamDelete TodoRead TodoWrite ToolSearch WebFetch WebSearch Write
  `),
  inert: namesIn(`
    AskUserQuestion EnterPlanMode ExitPlanMode StructuredOutput TaskCreate TaskGet TaskList TaskUpdate TodoRead TodoWrite
    ToolSearch WebSearch
  `),
  synonyms: [
    'Agent Task',
    'BashOutput BashOutputTool AgentOutput AgentOutputTool TaskOutput',
    'KillBash KillShell TaskStop',
    'ListAgents ListPeers',
    'ListMcpResources ListMcpResourcesTool',
    'ReadMcpResource ReadMcpResourceTool',
    'ReadMcpResourceDir ReadMcpResourceDirTool',
    'RunWorkflow Workflow',
  ].map(namesIn),
};

/** Spells a server. The user's connectors, whose names begin with `claude.ai `, lose repeated underscores. */
function spellServer(server: string): readonly string[] {
  const spelled = toHyphenated(server);
  return [server.startsWith(CONNECTOR) ? spelled.replace(/_+/g, '_').replace(/^_|_$/g, '') : spelled];
}

/**
 * Returns the possible server names without the plugin. The plugin's name may contain `_`, so the server's may begin after any of the first
 * ones.
 */
function withoutPlugin(part: string): readonly string[] {
  const names: string[] = [];
  if (!part.startsWith(PLUGIN)) return names;
  for (let at = part.indexOf('_', PLUGIN.length); at !== -1 && names.length < MOST_UNDERSCORES; at = part.indexOf('_', at + 1)) {
    names.push(part.slice(at + 1));
  }
  return names;
}

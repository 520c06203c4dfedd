/**
 * Programs that run commands for a model, by the names of their processes. Editors (`code`, `cursor`, `windsurf`, `zed`) are none of them:
 * people have terminals in those, and the commands that an editor's agent runs there look like theirs.
 */
export const AGENT_PROGRAMS: ReadonlySet<string> = new Set(
  (
    'aider amp auggie claude claude-code claude-desktop cline codex copilot crush cursor-agent droid gemini goose goosed kiro-cli opencode ' +
    'openclaw openhands plandex q qchat qwen qwen-code'
  ).split(' '),
);

/** Packages of agents, as they stand in the path of a script that an interpreter runs. */
export const AGENT_PACKAGE =
  /[/\\](?:@anthropic-ai[/\\]claude-code|@openai[/\\]codex|@google[/\\]gemini-cli|@github[/\\]copilot|@qwen-code[/\\]qwen-code|@sourcegraph[/\\]amp|@augmentcode[/\\]auggie|opencode-ai|openclaw|cline|aider)[/\\]/i;

/**
 * Variables that agents set for the commands that they run, and that nobody has otherwise. Those that people set to configure an agent
 * (`CLAUDE_CODE_USE_BEDROCK`), or that an editor gives to all its terminals (`CURSOR_TRACE_ID`, `CLAUDE_CODE_SSE_PORT`), say nothing.
 */
const AGENT_VARIABLES: readonly string[] = [
  'AI_AGENT',
  'CLAUDECODE',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_SESSION_ID',
  'CLINE_ACTIVE',
  'CODEX_SANDBOX',
  'CODEX_SANDBOX_NETWORK_DISABLED',
  'CURSOR_AGENT',
  'GEMINI_CLI',
  'GOOSE_TERMINAL',
  'OPENCODE',
  'QWEN_CODE',
];

/** The variable by which an agent marks what it runs; undefined where there is none. An empty one is an unset one. */
export function findAgentMark(env: NodeJS.ProcessEnv): string | undefined {
  return AGENT_VARIABLES.find((name) => (env[name] ?? '') !== '');
}

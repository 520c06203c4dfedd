import type { ProcessInfo, ReadProcess } from './process-info.ts';

/**
 * Programs that run commands for a model, by the names of their processes. Editors (`code`, `cursor`, `windsurf`, `zed`) are none of them:
 * people have terminals in those, and the commands that an editor's agent runs there look like theirs.
 */
const AGENT_PROGRAMS: ReadonlySet<string> = new Set(
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

/** Ancestors that are looked at. Nobody has so many by accident; whoever makes them has something to hide. */
const MOST_ANCESTORS = 256;

/** Their script, or module, is the program. */
const INTERPRETER = /^(?:node|nodejs|bun|deno|electron|ruby|perl|python[\d.]*)$/;
const SHELL = /^(?:sh|bash|dash|zsh|ash|ksh|fish)$/;

/** They are told what to start, after a word of their own as it may be. */
const STARTER = /^(?:uv|uvx|npx|npx-cli|npm|pnpm|yarn|bunx|env|sudo|busybox)$/;

/** Commands of ours that stand between a client and what it starts. */
const MIDDLEMEN: ReadonlySet<string> = new Set(['proxy', 'run', 'serve']);

/** `mcp-shell`, `server-mcp.js`, `shell_mcp`: a server of tools, whose shells are an agent's. */
const SERVER = /(?:^|[-_.])mcp(?:$|[-_.])|^mcp|mcp(?:\.sh)?$/i;
const SERVER_PACKAGE = /[/\\]@modelcontextprotocol[/\\]server-/;

/**
 * The nearest ancestor that says that an agent is at work and no person: the agent's own program, a middleman of ours, or an MCP server.
 * Undefined where there is none.
 *
 * @param isSought what else to look for; an ancestor that is too far away to look further counts as found
 */
export function findAgent(parent: number, readProcess: ReadProcess, isSought = isAgent): ProcessInfo | undefined {
  let pid = parent;
  let child: ProcessInfo | undefined;
  for (let looked = 0; pid > 1; looked++) {
    const ancestor = readProcess(pid);
    if (ancestor === undefined) return undefined;
    // Younger than its child: the parent has ended, and its pid is that of another process now.
    if (child !== undefined && ancestor.started > child.started) return undefined;
    if (looked >= MOST_ANCESTORS || isSought(ancestor)) return ancestor;
    child = ancestor;
    pid = ancestor.parent;
  }
  return undefined;
}

function isAgent({ name, words }: ProcessInfo): boolean {
  return isAgentName(name) || isMiddleman(words) || programWords(words).some(isAgentProgram);
}

/** The words of a command line that may be its program: names, or paths. */
export function programWords(words: readonly string[]): readonly string[] {
  const [first = '', ...rest] = words;
  // A title that a program gave itself stands in the first word as a whole.
  return [first, ...startedBy(programName(first.split(' ')[0] ?? ''), rest)];
}

/** The words that may be the program where the process is only what runs it. */
function startedBy(program: string, rest: readonly string[]): readonly string[] {
  const words = rest.filter((word) => !word.startsWith('-'));
  if (INTERPRETER.test(program)) return words.slice(0, 1);
  // What stands behind `-c` is a text.
  if (SHELL.test(program)) return /^-\w*c/.test(rest[0] ?? '') ? [] : words.slice(0, 1);
  return STARTER.test(program) ? words.slice(0, 2) : [];
}

function isAgentProgram(word: string): boolean {
  const name = programName(word);
  return isAgentName(name) || AGENT_PACKAGE.test(word) || SERVER.test(name) || SERVER_PACKAGE.test(word);
}

/** Is this the name of an agent's own program? */
export function isAgentName(name: string): boolean {
  return AGENT_PROGRAMS.has(name.toLowerCase());
}

function isMiddleman(words: readonly string[]): boolean {
  return words.slice(0, 8).some((word, at) => programName(word) === 'clawai' && MIDDLEMEN.has(words[at + 1] ?? ''));
}

/** `/usr/bin/claude` → `claude`, `gemini.js` → `gemini`; but `claude.sh` is a script of somebody's, which may do anything. */
export function programName(word: string): string {
  const file = word.split(/[\\/]/).at(-1) ?? '';
  return file.replace(/\.(?:[cm]?[jt]s|py|exe|cmd)$/i, '');
}

/** The variable by which an agent marks what it runs; undefined where there is none. An empty one is an unset one. */
export function findAgentMark(env: NodeJS.ProcessEnv): string | undefined {
  return AGENT_VARIABLES.find((name) => (env[name] ?? '') !== '');
}

import type { ProcessInfo, ReadProcess } from './processes.ts';

/**
 * Programs that run commands for a model, by process name. Editors (`code`, `cursor`, `windsurf`, `zed`) are left out: people use their
 * terminals, and commands of an editor's agent look the same.
 */
const AGENT_PROGRAMS: ReadonlySet<string> = new Set(
  (
    'aider amp auggie claude claude-code claude-desktop cline codex copilot crush cursor-agent droid gemini goose goosed kiro-cli opencode ' +
    'openclaw openhands plandex q qchat qwen qwen-code'
  ).split(' '),
);

/** Packages of agents, as they appear in the path of a script that an interpreter runs. */
export const AGENT_PACKAGE =
  /[/\\](?:@anthropic-ai[/\\]claude-code|@openai[/\\]codex|@google[/\\]gemini-cli|@github[/\\]copilot|@qwen-code[/\\]qwen-code|@sourcegraph[/\\]amp|@augmentcode[/\\]auggie|opencode-ai|openclaw|cline|aider)[/\\]/i;

/**
 * Variables that only agents set, for the commands that they run. Variables that configure an agent (`CLAUDE_CODE_USE_BEDROCK`), or that an
 * editor sets in all its terminals (`CURSOR_TRACE_ID`, `CLAUDE_CODE_SSE_PORT`), are left out.
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

/** Most ancestors inspected. Nobody has so many by accident; a process that has them hides something. */
const MOST_ANCESTORS = 256;

/** Interpreters: their script or module is the program. */
const INTERPRETER = /^(?:node|nodejs|bun|deno|electron|ruby|perl|python[\d.]*)$/;
const SHELL = /^(?:sh|bash|dash|zsh|ash|ksh|fish)$/;

/** Starters: their arguments name the program, perhaps after a subcommand. */
const STARTER = /^(?:uv|uvx|npx|npx-cli|npm|pnpm|yarn|bunx|env|sudo|busybox)$/;

/** Our commands that stand between a client and what it starts. */
const MIDDLEMEN: ReadonlySet<string> = new Set(['proxy', 'run', 'serve']);

/** Matches `mcp-shell`, `server-mcp.js`, `shell_mcp`: a server of tools, so its shells belong to an agent. */
const SERVER = /(?:^|[-_.])mcp(?:$|[-_.])|^mcp|mcp(?:\.sh)?$/i;
const SERVER_PACKAGE = /[/\\]@modelcontextprotocol[/\\]server-/;

/**
 * Finds the nearest ancestor that shows that an agent is at work and not a person: the agent's own program, a proxy of ours, or an MCP
 * server. Undefined if there is none.
 *
 * @param isSought another condition; an ancestor beyond the limit counts as found
 */
export function findAgent(parent: number, readProcess: ReadProcess, isSought = isAgent): ProcessInfo | undefined {
  let pid = parent;
  let child: ProcessInfo | undefined;
  for (let looked = 0; pid > 1; looked++) {
    const ancestor = readProcess(pid);
    if (ancestor === undefined) return undefined;
    // A parent younger than its child has taken over the pid of the real parent, which has ended.
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

/** Returns the words of a command line that may be its program: names, or paths. */
export function programWords(words: readonly string[]): readonly string[] {
  const [first = '', ...rest] = words;
  // A process title that a program set is the whole first word.
  return [first, ...startedBy(programName(first.split(' ')[0] ?? ''), rest)];
}

/** Returns the words that may name the program if the process only runs it. */
function startedBy(program: string, rest: readonly string[]): readonly string[] {
  const words = rest.filter((word) => !word.startsWith('-'));
  if (INTERPRETER.test(program)) return words.slice(0, 1);
  // The word after `-c` is a script text.
  if (SHELL.test(program)) return /^-\w*c/.test(rest[0] ?? '') ? [] : words.slice(0, 1);
  return STARTER.test(program) ? words.slice(0, 2) : [];
}

function isAgentProgram(word: string): boolean {
  const name = programName(word);
  return isAgentName(name) || AGENT_PACKAGE.test(word) || SERVER.test(name) || SERVER_PACKAGE.test(word);
}

/** Tells whether this is the name of an agent's own program. */
export function isAgentName(name: string): boolean {
  return AGENT_PROGRAMS.has(name.toLowerCase());
}

function isMiddleman(words: readonly string[]): boolean {
  return words.slice(0, 8).some((word, at) => programName(word) === 'clawai' && MIDDLEMEN.has(words[at + 1] ?? ''));
}

/** `/usr/bin/claude` → `claude`, `gemini.js` → `gemini`; but `claude.sh` keeps its suffix, since it is somebody's own script. */
export function programName(word: string): string {
  const file = word.split(/[\\/]/).at(-1) ?? '';
  return file.replace(/\.(?:[cm]?[jt]s|py|exe|cmd)$/i, '');
}

/** Returns the variable by which an agent marks its child processes; undefined if there is none. An empty variable counts as unset. */
export function findAgentMark(env: NodeJS.ProcessEnv): string | undefined {
  return AGENT_VARIABLES.find((name) => (env[name] ?? '') !== '');
}

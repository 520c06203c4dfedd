import type { JsonPath, JsonSyntax, Location } from './client.ts';
import { COMMENTS, STRICT } from './client.ts';

/** The program that a client starts before each call, and how long it may take. */
export interface HookProgram {
  readonly words: readonly string[];
  /** Variables that it has, whatever the client's are, and those that it does not. */
  readonly kept: Readonly<Record<string, string>>;
  readonly removed: readonly string[];
  /** All of this as a line for a POSIX shell. */
  readonly start: string;
  readonly seconds: number;
}

/** The place where a client reads which program it asks before it runs a tool. */
export interface HookPlace {
  /** The client, as `clawai hook` calls it. */
  readonly client: string;
  readonly name: string;
  /** The file of the user; each file that a pattern matches has a hook of its own. */
  readonly file: Location['file'];
  /** Folders of which one exists where the client has run. */
  readonly traces: Location['file'];
  readonly form: HookList | HookFile;
  /** Said after each installation, a sentence without full stop: the person must do more, or some calls are not asked about. */
  readonly notes: readonly string[];
  /** Other files that switch hooks off, of the user or of the project around the current folder. */
  readonly alsoOff?: readonly { readonly file: Location['file']; readonly pattern: RegExp; readonly name: string }[];
  /** True if the client asks its user before it starts the hook: until a call was seen, it is not known to work. */
  readonly needsTrust?: boolean;
}

/** A JSON file that may hold more, with a list of hooks for each event. */
export interface HookList {
  readonly kind: 'list';
  readonly syntax: JsonSyntax;
  /** The members of `hooks` that get an entry. */
  readonly events: readonly string[];
  readonly entry: (program: HookProgram) => object;
  /** Other members of a new file. */
  readonly base: object;
  /** The members that switch hooks off, with the value that does, or that a list has. */
  readonly switches: readonly { readonly path: JsonPath; readonly when: boolean | string }[];
}

/** A file of our own. */
export interface HookFile {
  readonly kind: 'file';
  readonly content: (program: HookProgram) => string;
  readonly isExecutable: boolean;
}

/** A list of hooks in a file of strict JSON that nothing switches off, unless more is said. */
function list(form: Partial<HookList> & Pick<HookList, 'events' | 'entry'>): HookList {
  return { kind: 'list', syntax: STRICT, base: {}, switches: [], ...form };
}

function untried(client: string): string {
  return `built from its documentation, not tried with ${client} itself: see that a denied call is stopped`;
}

const SERVER_TOOLS = 'tools that the provider runs, such as web search, are not asked about';

export const HOOK_PLACES: readonly HookPlace[] = [
  {
    client: 'claude-code',
    name: 'Claude Code',
    file: ['$CLAUDE_CONFIG_DIR/settings.json', '~/.claude/settings.json'],
    traces: ['$CLAUDE_CONFIG_DIR/projects', '~/.claude/projects'],
    form: list({
      events: ['PreToolUse'],
      entry: ({ start, seconds }) => ({
        matcher: '*',
        hooks: [{ type: 'command', command: guarded(start), timeout: seconds, onFailure: 'block' }],
      }),
      switches: [{ path: ['disableAllHooks'], when: true }],
    }),
    alsoOff: ['settings.local.json', 'settings.json'].map((name) => ({
      file: [`<project>/.claude/${name}`],
      pattern: /"disableAllHooks"\s*:\s*true/,
      name: `disableAllHooks in this project's ${name}`,
    })),
    notes: [
      `files named with @ are read without asking the hook, and ${SERVER_TOOLS}`,
      "a project's settings can switch all hooks off (disableAllHooks); start Claude Code with `clawai run -- claude`, which overrules them",
    ],
  },
  {
    client: 'codex',
    name: 'Codex',
    file: ['$CODEX_HOME/hooks.json', '~/.codex/hooks.json'],
    traces: ['$CODEX_HOME', '~/.codex'],
    form: list({
      events: ['PreToolUse'],
      entry: ({ start, seconds }) => ({ matcher: '*', hooks: [{ type: 'command', command: guarded(start), timeout: seconds }] }),
    }),
    alsoOff: [
      {
        file: ['$CODEX_HOME/config.toml', '~/.codex/config.toml'],
        pattern: /^[ \t]*features\.hooks[ \t]*=[ \t]*false|^[ \t]*\[features\][^[]*\n[ \t]*hooks[ \t]*=[ \t]*false/m,
        name: 'features.hooks in config.toml',
      },
    ],
    notes: [
      'Codex ignores the hook until you trust it: start codex, open /hooks and trust clawai',
      `text that Codex types into a running program (write_stdin) is not asked about, and ${SERVER_TOOLS}; \`clawai run -- codex\` checks both`,
    ],
    needsTrust: true,
  },
  {
    client: 'gemini-cli',
    name: 'Gemini CLI',
    file: ['~/.gemini/settings.json'],
    traces: ['~/.gemini'],
    form: list({
      syntax: COMMENTS,
      events: ['BeforeTool'],
      entry: ({ start, seconds }) => ({
        matcher: '*',
        hooks: [{ type: 'command', name: 'clawai', command: guarded(start), timeout: seconds * 1000 }],
      }),
      switches: [
        { path: ['hooksConfig', 'enabled'], when: false },
        { path: ['hooksConfig', 'disabled'], when: 'clawai' },
      ],
    }),
    notes: ["a trusted project's settings can switch the hook off (hooksConfig)"],
  },
  {
    client: 'copilot-cli',
    name: 'Copilot CLI',
    file: ['$COPILOT_HOME/hooks/clawai.json', '~/.copilot/hooks/clawai.json'],
    traces: ['$COPILOT_HOME', '~/.copilot'],
    form: list({
      events: ['preToolUse'],
      entry: ({ start, seconds }) => ({ type: 'command', bash: guarded(start), timeoutSec: seconds }),
      base: { version: 1 },
      switches: [{ path: ['disableAllHooks'], when: true }],
    }),
    notes: ['VS Code reads this hook too'],
  },
  {
    client: 'cursor',
    name: 'Cursor',
    file: ['~/.cursor/hooks.json'],
    traces: ['~/.cursor'],
    form: list({
      events: ['preToolUse'],
      entry: ({ start, seconds }) => ({ command: guarded(start), timeout: seconds, failClosed: true }),
      base: { version: 1 },
    }),
    notes: [untried('Cursor')],
    needsTrust: true,
  },
  {
    client: 'windsurf',
    name: 'Windsurf',
    file: ['~/.codeium/windsurf/hooks.json'],
    traces: ['~/.codeium/windsurf'],
    form: list({
      events: ['pre_run_command', 'pre_read_code', 'pre_write_code', 'pre_mcp_tool_use'],
      entry: ({ start }) => ({ command: guarded(start), show_output: true }),
    }),
    notes: [untried('Windsurf')],
    needsTrust: true,
  },
  {
    client: 'cline',
    name: 'Cline',
    file: ['~/Documents/Cline/Hooks/PreToolUse'],
    traces: ['~/Documents/Cline'],
    form: {
      kind: 'file',
      content: ({ start }) => `#!/bin/sh\n# Written by clawai; clawai unwrap --hooks removes it.\n${guarded(start, CANCEL)}\n`,
      isExecutable: true,
    },
    notes: [untried('Cline')],
    needsTrust: true,
  },
  {
    client: 'kiro',
    name: 'Kiro CLI',
    file: ['~/.kiro/agents/*.json'],
    traces: ['~/.kiro'],
    form: list({
      events: ['preToolUse'],
      entry: ({ start, seconds }) => ({ matcher: '*', command: guarded(start), timeout_ms: seconds * 1000 }),
    }),
    notes: [
      untried('Kiro'),
      "only your own agents, in ~/.kiro/agents, have hooks: not the built-in one, nor a project's; after you add one, run this again",
    ],
    needsTrust: true,
  },
  {
    client: 'opencode',
    name: 'opencode',
    file: ['<config>/opencode/plugin/clawai.js'],
    traces: ['<config>/opencode', '~/.local/share/opencode'],
    form: { kind: 'file', content: pluginFor, isExecutable: false },
    notes: [],
  },
];

const FAILED = 'clawai denied this call, because it did not run.';

/** Cline takes this, whatever the exit code is. */
const CANCEL = `echo '${JSON.stringify({ cancel: true, errorMessage: FAILED })}'`;

/**
 * The line for a client's config. In most clients a hook that is missing, crashes or is killed lets the call run, so whatever is neither 0 nor 2
 * becomes a denial with a reason.
 */
function guarded(start: string, saying = `echo "${FAILED}" >&2`): string {
  return `${start}; c=$?; if [ $c -ne 0 ] && [ $c -ne 2 ]; then ${saying}; c=2; fi; exit $c`;
}

/** A plugin for opencode: what it throws stops the call, and the model reads it. */
function pluginFor({ words, kept, removed, seconds }: HookProgram): string {
  return `// Written by clawai; clawai unwrap --hooks removes it.
import { spawn } from 'node:child_process';

const [program, ...args] = ${JSON.stringify(words)};
const env = { ...process.env, ...${JSON.stringify(kept)} };
for (const name of ${JSON.stringify(removed)}) delete env[name];

export const clawai = async ({ directory }) => ({
  'tool.execute.before': ({ tool, sessionID, callID }, { args: given }) =>
    new Promise((resolve, reject) => {
      const child = spawn(program, args, { env, stdio: ['pipe', 'ignore', 'pipe'], timeout: ${seconds} * 1000 });
      let why = '';
      child.stderr.on('data', (text) => (why += text));
      child.stdin.on('error', () => {});
      child.on('error', (error) => reject(new Error('clawai denied this call, because it did not start: ' + error.message)));
      child.on('close', (code) => {
        if (code === 0) resolve();
        else reject(new Error(why.trim() || ${JSON.stringify(FAILED)}));
      });
      child.stdin.end(JSON.stringify({ tool, args: given, callID, sessionID, directory }));
    }),
});
`;
}

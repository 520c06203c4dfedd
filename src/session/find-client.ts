import type { ProcessInfo, ReadProcess } from './processes.ts';

/** Programs that start what they are told to: shells, package runners, version managers, wrappers. */
const LAUNCHERS: ReadonlySet<string> = new Set(
  [
    'sh ash bash busybox csh dash fish ksh nu pwsh tcsh zsh',
    'bunx corepack npm npm-cli npx npx-cli pnpm pnpx yarn yarnpkg',
    'conda hatch pdm pipx poetry rye uv uvx',
    'asdf direnv fnm mise nix nix-shell nvm-exec rtx volta',
    'doas doppler dotenv env nice nohup op script setsid stdbuf strace su sudo time timeout',
    'bwrap firejail sandbox-exec',
  ].flatMap((line) => line.split(' ')),
);

/** Bridges that stand in for remote servers, for clients that don't support them. */
const BRIDGES: ReadonlySet<string> = new Set(['mcp-proxy', 'mcp-remote', 'supergateway']);

/** The process of Chromium-based programs that makes all connections, for its parent. */
const NETWORK_PROCESS = '--utility-sub-type=network.mojom.NetworkService';

/** Processes that adopt orphans. */
const INITS: ReadonlySet<string> = new Set(['dumb-init', 'init', 'launchd', 'systemd', 'tini']);

/** Interpreters: their script is the program. */
const INTERPRETER = /^(?:node|nodejs|bun|deno|ruby|perl|python[\d.]*)$/;

/** npm sets its process's name and command line to `npm exec …`. */
const NPM_TITLE = /^(?:npm|npx) /;

/** Most ancestors inspected; nobody nests launchers that deeply. */
const MOST_ANCESTORS = 32;

export interface FindClientOptions {
  /** Pid of this process's parent. */
  readonly parent: number;
  readonly readProcess: ReadProcess;
  /** This process's standard input, as in `ProcessInfo`. */
  readonly stdin: string | undefined;
}

/**
 * Finds the process whose run this is: the nearest ancestor that is not a launcher, else the outermost launcher. A launcher is known by its
 * name, or by sharing our standard input: then the client at the other end started both.
 *
 * The nearest one counts even if a well-known client is further up, since that may have started many runs of the nearer one.
 *
 * @returns undefined if no process is left that could have started us
 */
export function findClient({ parent, readProcess, stdin }: FindClientOptions): ProcessInfo | undefined {
  let found: ProcessInfo | undefined;
  let pid = parent;
  for (let looked = 0; looked < MOST_ANCESTORS; looked++) {
    const ancestor = readProcess(pid);
    if (ancestor === undefined || isInit(ancestor)) break;
    // A parent younger than its child has taken over the pid of the real parent, which has ended.
    if (found !== undefined && ancestor.started > found.started) break;
    found = ancestor;
    const isSharing = stdin !== undefined && ancestor.stdin === stdin;
    if (!isSharing && !isLauncher(ancestor)) break;
    pid = ancestor.parent;
  }
  return found;
}

/** Tells whether this process only starts others, so that its parent is their client. This includes our own proxy and hook. */
export function isLauncher({ name, words }: Pick<ProcessInfo, 'name' | 'words'>): boolean {
  if (NPM_TITLE.test(`${name} `) || NPM_TITLE.test(words[0] ?? '') || words.includes(NETWORK_PROCESS)) return true;
  const program = programName(words[0] ?? '');
  if (!INTERPRETER.test(program)) return [program, name].some((word) => LAUNCHERS.has(word) || BRIDGES.has(word));
  const rest = words.slice(1);
  if (program === 'bun' && rest[0] === 'x') return true;
  const at = rest.findIndex((word) => !word.startsWith('-'));
  const path = rest[at] ?? '';
  const script = programName(path);
  const [, inPackage = script] = /.*[\\/]node_modules[\\/]([^\\/]+)[\\/]/.exec(path) ?? [];
  return (
    LAUNCHERS.has(script) ||
    BRIDGES.has(script) ||
    BRIDGES.has(inPackage) ||
    (script === 'clawai' && (rest[at + 1] === 'proxy' || rest[at + 1] === 'hook'))
  );
}

/** Tells whether this process merely adopts its children. */
export function isInit({ pid, words }: Pick<ProcessInfo, 'pid' | 'words'>): boolean {
  return pid <= 1 || INITS.has(programName(words[0] ?? ''));
}

/** `/usr/bin/npx-cli.js` → `npx-cli`, `-bash` → `bash`: a login shell's name begins with a dash. */
function programName(word: string): string {
  const file = word.split(/[\\/]/).at(-1) ?? '';
  return file.replace(/^-/, '').replace(/\.(?:[cm]?[jt]s|py|exe|cmd)$/i, '');
}

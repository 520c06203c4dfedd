import type { ProcessInfo, ReadProcess } from './process-info.ts';

/** Programs that start what somebody else told them to: shells, package runners, version managers, wrappers. */
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

/** A client that knows no remote servers has one of these stand for each. */
const BRIDGES: ReadonlySet<string> = new Set(['mcp-proxy', 'mcp-remote', 'supergateway']);

/** The process of Chromium and of what is built on it that makes all connections, for the one that started it. */
const NETWORK_PROCESS = '--utility-sub-type=network.mojom.NetworkService';

/** What adopts processes whose parent has ended. */
const INITS: ReadonlySet<string> = new Set(['dumb-init', 'init', 'launchd', 'systemd', 'tini']);

/** Their script is the program. */
const INTERPRETER = /^(?:node|nodejs|bun|deno|ruby|perl|python[\d.]*)$/;

/** npm calls its process `npm exec …`, over name and command line both. */
const NPM_TITLE = /^(?:npm|npx) /;

/** Ancestors that are looked at; nobody nests launchers that deeply. */
const MOST_ANCESTORS = 32;

export interface FindClientOptions {
  /** Pid of our parent. */
  readonly parent: number;
  readonly readProcess: ReadProcess;
  /** Our own standard input, as `ProcessInfo` has it. */
  readonly stdin: string | undefined;
}

/**
 * The process whose run this is: the nearest ancestor that is no launcher. A launcher is known by its name, or because its standard input is
 * the very one that we have: then the client at its other end started it as it started us. Where there are only launchers, the
 * outermost of them.
 *
 * The nearest one counts also where a well-known client is further up, since that may have started many runs of what is between.
 *
 * @returns undefined where nobody is left who could have started us
 */
export function findClient({ parent, readProcess, stdin }: FindClientOptions): ProcessInfo | undefined {
  let found: ProcessInfo | undefined;
  let pid = parent;
  for (let looked = 0; looked < MOST_ANCESTORS; looked++) {
    const ancestor = readProcess(pid);
    if (ancestor === undefined || isInit(ancestor)) break;
    // Younger than its child: the parent has ended, and its pid is that of another process now.
    if (found !== undefined && ancestor.started > found.started) break;
    found = ancestor;
    const isSharing = stdin !== undefined && ancestor.stdin === stdin;
    if (!isSharing && !isLauncher(ancestor)) break;
    pid = ancestor.parent;
  }
  return found;
}

/** Does this process only start others, so that whoever started it is behind what they do? Our own middlemen are such too. */
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
    LAUNCHERS.has(script) || BRIDGES.has(script) || BRIDGES.has(inPackage) || (script === 'clawai' && rest[at + 1] === 'proxy')
  );
}

/** Has this process nothing to do with those whose parent it is? */
export function isInit({ pid, words }: Pick<ProcessInfo, 'pid' | 'words'>): boolean {
  return pid <= 1 || INITS.has(programName(words[0] ?? ''));
}

/** `/usr/bin/npx-cli.js` → `npx-cli`, `-bash` → `bash`: a login shell's name begins with a dash. */
function programName(word: string): string {
  const file = word.split(/[\\/]/).at(-1) ?? '';
  return file.replace(/^-/, '').replace(/\.(?:[cm]?[jt]s|py|exe|cmd)$/i, '');
}

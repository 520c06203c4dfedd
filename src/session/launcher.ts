import type { ProcessInfo } from './process-info.ts';

/** Programs that start what somebody else told them to: shells, package runners, version managers, wrappers. */
const LAUNCHERS: ReadonlySet<string> = new Set(
  [
    'sh ash bash busybox csh dash fish ksh nu pwsh tcsh zsh',
    'bunx corepack npm npm-cli npx npx-cli pnpm pnpx yarn yarnpkg',
    'conda hatch pdm pipx poetry rye uv uvx',
    'asdf direnv fnm mise nix nix-shell nvm-exec rtx volta',
    'doas doppler dotenv env nice nohup op script setsid stdbuf strace su sudo time timeout',
    'bwrap firejail sandbox-exec',
    // A client that knows no remote servers has one of these stand for each.
    'mcp-remote mcp-proxy supergateway',
  ].flatMap((line) => line.split(' ')),
);

/** What adopts processes whose parent has ended. */
const INITS: ReadonlySet<string> = new Set(['dumb-init', 'init', 'launchd', 'systemd', 'tini']);

/** Their script is the program. */
const INTERPRETER = /^(?:node|nodejs|bun|deno|ruby|perl|python[\d.]*)$/;

/** npm calls its process `npm exec …`, over name and command line both. */
const NPM_TITLE = /^(?:npm|npx) /;

/** Does this process only start others, so that whoever started it is behind what they do? Our own middlemen are such too. */
export function isLauncher({ name, words }: Pick<ProcessInfo, 'name' | 'words'>): boolean {
  if (NPM_TITLE.test(`${name} `) || NPM_TITLE.test(words[0] ?? '')) return true;
  const program = programName(words[0] ?? '');
  if (!INTERPRETER.test(program)) return LAUNCHERS.has(program) || LAUNCHERS.has(name);
  const rest = words.slice(1);
  if (program === 'bun' && rest[0] === 'x') return true;
  const at = rest.findIndex((word) => !word.startsWith('-'));
  const script = programName(rest[at] ?? '');
  return LAUNCHERS.has(script) || (script === 'clawai' && rest[at + 1] === 'proxy');
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

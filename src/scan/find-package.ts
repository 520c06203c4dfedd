/** A package or image that a command line has fetched and run, as it is named there. */
export interface RunPackage {
  /** The program that fetches it, such as `npx`. */
  readonly runner: string;
  /** Its name without a version. */
  readonly name: string;
  /** True if the command line names exactly one version; `tag` for an image's tag, which may be moved. */
  readonly isPinned: boolean | 'tag';
  /** The way to name the version, such as `name@1.2.3`. */
  readonly example: string;
}

type Ecosystem = 'npm' | 'python' | 'image' | 'go';

interface Runner {
  readonly ecosystem: Ecosystem;
  /** Words before the package, in order; without them the program does something else. */
  readonly words: readonly string[];
  /** Flags that take the next word. */
  readonly valued: RegExp;
  /** Flags whose value is the package. */
  readonly naming?: RegExp;
}

const NPM = {
  ecosystem: 'npm',
  valued: /^(?:-[cw]|--(?:call|workspace|registry|userconfig|cache|prefix|loglevel))$/,
  naming: /^(?:-p|--package)$/,
} as const;
const PYTHON = {
  ecosystem: 'python',
  valued:
    /^(?:-[pcwi]|--(?:python|with|with-editable|with-requirements|index|index-url|extra-index-url|default-index|find-links|constraints|overrides|env-file|directory|project|config-file|cache-dir|pip-args))$/,
  naming: /^--(?:from|spec)$/,
} as const;
const IMAGE = {
  ecosystem: 'image',
  valued:
    /^(?:-[evpuwhlmc]|--(?:env|env-file|volume|mount|publish|name|network|net|user|workdir|hostname|label|memory|cpus|entrypoint|add-host|platform|pull|restart|log-driver|log-opt|device|cap-add|cap-drop|security-opt|tmpfs|ulimit|gpus|dns|ip|ipc|pid|shm-size|cidfile|runtime|secret))$/,
} as const;

/** By the program's file name. */
const RUNNERS: Readonly<Record<string, readonly Runner[]>> = {
  npx: [{ ...NPM, words: [] }],
  pnpx: [{ ...NPM, words: [] }],
  bunx: [{ ...NPM, words: [] }],
  npm: ['exec', 'x'].map((word) => ({ ...NPM, words: [word] })),
  pnpm: ['dlx'].map((word) => ({ ...NPM, words: [word] })),
  yarn: ['dlx'].map((word) => ({ ...NPM, words: [word] })),
  bun: ['x'].map((word) => ({ ...NPM, words: [word] })),
  uvx: [{ ...PYTHON, words: [] }],
  uv: [{ ...PYTHON, words: ['tool', 'run'] }],
  pipx: [{ ...PYTHON, words: ['run'] }],
  docker: [
    { ...IMAGE, words: ['run'] },
    { ...IMAGE, words: ['container', 'run'] },
  ],
  podman: [{ ...IMAGE, words: ['run'] }],
  nerdctl: [{ ...IMAGE, words: ['run'] }],
  go: [{ ecosystem: 'go', words: ['run'], valued: /^-(?:mod|modfile|C|exec|tags)$/ }],
};

/** Most shells and wrappers in front of the program that are looked through. */
const MOST_WRAPPERS = 4;

/**
 * Finds the package that a command line has fetched before it runs: by npx and its like, uvx, pipx, docker and its like, `go run`, or Deno.
 * Undefined if it runs what is on the machine already.
 */
export function findPackage(words: readonly string[]): RunPackage | undefined {
  const [command = '', ...args] = unwrapShell(words);
  const program = programOf(command);
  if (program === 'deno') return findDenoPackage(args);
  for (const runner of RUNNERS[program] ?? []) {
    if (!runner.words.every((word, i) => args[i] === word)) continue;
    const spec = findSpec(args.slice(runner.words.length), runner);
    if (spec !== undefined) return toPackage(spec, runner.ecosystem, [program, ...runner.words].join(' '));
  }
  return undefined;
}

/** The words behind `env A=b`, `cmd /c` and `sh -c "…"`. */
function unwrapShell(given: readonly string[]): readonly string[] {
  let words = given;
  for (let i = 0; i < MOST_WRAPPERS; i++) {
    const [command = '', first = '', second] = words;
    const program = programOf(command);
    if (program === 'env') {
      const start = words.findIndex((word, at) => at > 0 && !/^-|^\w+=/.test(word));
      if (start === -1) return [];
      words = words.slice(start);
    } else if (program === 'cmd' && /^\/c$/i.test(first)) words = words.slice(2);
    else if (/^(?:ba|z|da|k)?sh$/.test(program) && /^-\w*c$/.test(first) && second !== undefined) {
      words = second
        .replace(/^\s*exec\s/, '')
        .trim()
        .split(/\s+/);
    } else return words;
  }
  return words;
}

function programOf(command: string): string {
  return (command.split(/[\\/]/).at(-1) ?? '').toLowerCase().replace(/\.(?:exe|cmd|ps1|bat)$/, '');
}

function findSpec(args: readonly string[], { valued, naming }: Runner): string | undefined {
  for (let i = 0; i < args.length; i++) {
    const word = args[i] ?? '';
    if (naming?.test(word) === true) return args[i + 1];
    const [flag = '', value] = word.split(/=(.*)/s);
    if (value !== undefined && naming?.test(flag) === true) return value;
    if (word === '--') return args[i + 1];
    if (valued.test(word)) i++;
    else if (!word.startsWith('-')) return word;
  }
  return undefined;
}

function findDenoPackage(args: readonly string[]): RunPackage | undefined {
  const spec = args.find((word) => /^(?:npm|jsr|https?):/i.test(word));
  if (spec === undefined) return undefined;
  if (/^https?:/i.test(spec)) return { runner: 'deno', name: spec, isPinned: false, example: 'a URL with the version in it' };
  const found = toPackage(spec.replace(/^(?:npm|jsr):\/?/i, ''), 'npm', 'deno');
  const scheme = spec.slice(0, 4);
  return found === undefined ? undefined : { ...found, example: `${scheme}${found.example}` };
}

const EXACT = /^v?\d+(?:\.\d+){1,3}(?:[-+.]?[\w.+-]+)?$/;
const COMMIT = /^[\da-f]{40}$/i;

function toPackage(spec: string, ecosystem: Ecosystem, runner: string): RunPackage | undefined {
  // These are files of this machine, and words that the client fills in.
  if (/^(?:[./~]|[A-Za-z]:[\\/]|file:)/.test(spec) || /[${}]/.test(spec)) return undefined;
  if (ecosystem === 'image') return toImage(spec, runner);
  if (/^(?:git\+|github:|gitlab:|bitbucket:|https?:|ssh:)/i.test(spec) || /\.git$/i.test(spec)) {
    const at = ecosystem === 'npm' ? '#' : '@';
    const commit = spec.slice(spec.lastIndexOf(at) + 1);
    const isPinned = COMMIT.test(commit);
    const name = isPinned ? spec.slice(0, spec.lastIndexOf(at)) : spec;
    return { runner, name, isPinned, example: `${name}${at}COMMIT` };
  }
  if (ecosystem === 'python') {
    const [, name = spec, version = ''] = /^([\w.-]+(?:\[[^\]]*\])?)\s*(?:@|===?)?\s*(.*)$/.exec(spec) ?? [];
    const mark = spec.includes('==') ? '==' : '@';
    return { runner, name, isPinned: EXACT.test(version) && !version.includes(','), example: `${name}${mark}1.2.3` };
  }
  const at = spec.indexOf('@', 1);
  const name = at === -1 ? spec : spec.slice(0, at);
  // `go run ./cmd` and a file are on this machine.
  if (ecosystem === 'go' && !/^[\w-]+\.[\w.-]+\//.test(name)) return undefined;
  const version = at === -1 ? '' : (spec.slice(at + 1).split('/')[0] ?? '');
  const isExact = ecosystem === 'npm' ? /^\d+\.\d+\.\d+(?:[-+].*)?$/.test(version) : EXACT.test(version);
  return { runner, name, isPinned: isExact, example: `${name}@${ecosystem === 'go' ? 'v' : ''}1.2.3` };
}

function toImage(spec: string, runner: string): RunPackage {
  const [named = '', digest] = spec.split('@sha256:');
  const colon = named.indexOf(':', named.lastIndexOf('/') + 1);
  const name = colon === -1 ? named : named.slice(0, colon);
  const tag = colon === -1 ? 'latest' : named.slice(colon + 1);
  const isPinned = digest !== undefined || (tag === 'latest' ? false : 'tag');
  return { runner, name, isPinned, example: `${name}@sha256:…` };
}

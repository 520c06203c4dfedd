/** A command line: what is started, and its arguments. */
export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

/** The parts of a command line that starts a server behind clawai. */
export interface WrappedCommand {
  /** The words before `proxy`, which start clawai. */
  readonly launcher: readonly string[];
  /** The words between `proxy` and `--`. */
  readonly flags: readonly string[];
  /** The words after `--`: the server's own command line. */
  readonly server: CommandLine;
}

/**
 * Matches the file name of a clawai, however it is started: `clawai`, `clawai.cmd`, `/x/bin/clawai.mjs`, `clawai@1.2.3` (npx).
 * `clawai@npm:x` is another package.
 */
const CLAWAI = /(?:^|[\\/])clawai(?:\.mjs|\.cmd|\.exe|\.ps1)?(?:@[\w.+~^-]+)?$/i;

/** Matches programs that merely start clawai here, as we would: runtimes, package runners, Windows' shell. */
const STARTERS = /(?:^|[\\/])(?:node[\w.-]*|bun|bunx|deno|npx|npm|pnpm|pnpx|yarn|cmd)(?:\.exe|\.cmd)?$/i;

/**
 * Parses a command line that starts a server behind clawai, whoever wrote it: we, an older installation, or a person. Undefined for any
 * other command line, for one with nothing after `--`, and for a launcher that does more, e.g. run it on another machine or with other
 * variables (`ssh`, `docker run`, `env`): that must neither be lost nor replaced.
 */
export function parseWrappedCommand(line: CommandLine): WrappedCommand | undefined {
  const words = [line.command, ...line.args];
  const proxy = findProxy(words);
  if (proxy === undefined) return undefined;
  // We write an entry's path ourselves, after a Node of whatever name.
  const isStarted = proxy === 1 || STARTERS.test(line.command) || (proxy === 2 && /\.mjs$/i.test(words[1] ?? ''));
  if (!isStarted) return undefined;
  const separator = words.indexOf('--');
  const [server, ...serverArgs] = words.slice(separator + 1);
  if (server === undefined) return undefined;
  return {
    launcher: words.slice(0, proxy),
    flags: words.slice(proxy + 1, separator),
    server: { command: server, args: serverArgs },
  };
}

/** Tells whether this command line starts a clawai in any way, even in one that only its author can undo. */
export function startsClawai({ command, args }: CommandLine): boolean {
  return isClawai(command) || isClawai(args[0] ?? '') || findProxy([command, ...args]) !== undefined;
}

/** Finds the index of a clawai's `proxy` before `--`. */
function findProxy(words: readonly string[]): number | undefined {
  const end = words.indexOf('--');
  const at = words.slice(0, Math.max(end, 0)).findIndex((word, i) => word === 'proxy' && isClawai(words[i - 1] ?? ''));
  return at === -1 ? undefined : at;
}

/** Tells whether this word is a clawai, by its file name. */
export function isClawai(word: string): boolean {
  return CLAWAI.test(word);
}

/** Builds the command line that starts a server behind clawai. */
export function formatWrappedCommand({ launcher, flags, server }: WrappedCommand): CommandLine {
  const [command = '', ...rest] = launcher;
  return { command, args: [...rest, 'proxy', ...flags, '--', server.command, ...server.args] };
}

/** Returns the server's own command line, inside any number of clawais. */
export function innermost(line: CommandLine): CommandLine {
  const wrapped = parseWrappedCommand(line);
  return wrapped === undefined ? line : innermost(wrapped.server);
}

/** Programs that other tools put in front of servers; those tools must undo their own changes. */
const OTHERS: readonly { readonly name: string; readonly pattern: RegExp; readonly word?: string }[] = [
  { name: 'pipelock', pattern: /(?:^|[\\/])pipelock(?:\.exe)?$/i, word: 'mcp' },
  { name: 'ClawDefender', pattern: /(?:^|[\\/])clawdefender(?:\.exe)?$/i, word: 'wrap' },
  { name: 'mcp-context-protector', pattern: /(?:^|[\\/])mcp-context-protector(?:\.sh)?$/i },
  { name: 'agentsh', pattern: /(?:^|[\\/])agentsh(?:\.exe)?$/i },
];

/** Returns the known other tool that this command line puts in front of its server. */
export function otherWrapper({ command, args }: CommandLine): string | undefined {
  const words = [command, ...args];
  return OTHERS.find(({ pattern, word }) => {
    const found = words.slice(0, 3).findIndex((text) => pattern.test(text));
    return found !== -1 && (word === undefined || words[found + 1] === word);
  })?.name;
}

export function isSameCommand(left: CommandLine, right: CommandLine): boolean {
  return (
    left.command === right.command && left.args.length === right.args.length && left.args.every((arg, i) => arg === right.args[i])
  );
}

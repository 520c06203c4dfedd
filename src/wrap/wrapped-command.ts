/** A command line: what is started, and its arguments. */
export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

/** What a command line says that starts a server behind clawai. */
export interface WrappedCommand {
  /** What starts clawai: everything before `proxy`. */
  readonly launcher: readonly string[];
  /** Everything between `proxy` and `--`. */
  readonly flags: readonly string[];
  /** What is behind `--`: the server as it is without clawai. */
  readonly server: CommandLine;
}

/** The file name of a clawai, in whatever way it is started: `clawai`, `clawai.cmd`, `/x/bin/clawai.mjs`, `clawai@1.2.3` (npx). `clawai@npm:x` is another package. */
const CLAWAI = /(?:^|[\\/])clawai(?:\.mjs|\.cmd|\.exe|\.ps1)?(?:@[\w.+~^-]+)?$/i;

/** What may stand in front of a clawai and does no more than start it here, as we would: runtimes, package runners, Windows' shell. */
const STARTERS = /(?:^|[\\/])(?:node[\w.-]*|bun|bunx|deno|npx|npm|pnpm|pnpx|yarn|cmd)(?:\.exe|\.cmd)?$/i;

/**
 * Takes apart a command line that starts a server behind clawai, whoever wrote it: ours, an older installation's, or by hand.
 * Undefined for any other, where nothing is behind `--`, and where what starts clawai does more than that, e.g. on another machine or
 * with other variables (`ssh`, `docker run`, `env`): that must neither be lost nor be replaced.
 */
export function parseWrappedCommand(line: CommandLine): WrappedCommand | undefined {
  const words = [line.command, ...line.args];
  const proxy = findProxy(words);
  if (proxy === undefined) return undefined;
  // The path of an entry is what we write ourselves, behind a Node of whatever name.
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

/** Does this command line start a clawai in any way, also in one that only whoever wrote it can undo? */
export function startsClawai({ command, args }: CommandLine): boolean {
  return isClawai(command) || isClawai(args[0] ?? '') || findProxy([command, ...args]) !== undefined;
}

/** Where the `proxy` of a clawai stands in front of `--`. */
function findProxy(words: readonly string[]): number | undefined {
  const end = words.indexOf('--');
  const at = words.slice(0, Math.max(end, 0)).findIndex((word, i) => word === 'proxy' && isClawai(words[i - 1] ?? ''));
  return at === -1 ? undefined : at;
}

/** Is this word a clawai, by its file name? */
export function isClawai(word: string): boolean {
  return CLAWAI.test(word);
}

/** The command line that starts a server behind clawai. */
export function formatWrappedCommand({ launcher, flags, server }: WrappedCommand): CommandLine {
  const [command = '', ...rest] = launcher;
  return { command, args: [...rest, 'proxy', ...flags, '--', server.command, ...server.args] };
}

/** The server's own command line: inside of however many clawais it was put behind. */
export function innermost(line: CommandLine): CommandLine {
  const wrapped = parseWrappedCommand(line);
  return wrapped === undefined ? line : innermost(wrapped.server);
}

/** Programs that other tools put in front of servers; what they changed is theirs to undo. */
const OTHERS: readonly { readonly name: string; readonly pattern: RegExp; readonly word?: string }[] = [
  { name: 'pipelock', pattern: /(?:^|[\\/])pipelock(?:\.exe)?$/i, word: 'mcp' },
  { name: 'ClawDefender', pattern: /(?:^|[\\/])clawdefender(?:\.exe)?$/i, word: 'wrap' },
  { name: 'mcp-context-protector', pattern: /(?:^|[\\/])mcp-context-protector(?:\.sh)?$/i },
  { name: 'agentsh', pattern: /(?:^|[\\/])agentsh(?:\.exe)?$/i },
];

/** The other tool that this command line puts in front of its server, if it is one that we know. */
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

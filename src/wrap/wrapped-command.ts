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

/** The file name of a clawai, in whatever way it is started: `clawai`, `clawai.cmd`, `/x/bin/clawai.mjs`, `clawai@1.2.3` (npx). */
const CLAWAI = /(?:^|[\\/])clawai(?:\.mjs|\.cmd|\.exe|\.ps1)?(?:@[^\\/]+)?$/i;

/**
 * Takes apart a command line that starts a server behind clawai, whoever wrote it: ours, an older installation's, or by hand.
 * Undefined for any other, and where nothing is behind `--`.
 */
export function parseWrappedCommand({ command, args }: CommandLine): WrappedCommand | undefined {
  const words = [command, ...args];
  const separator = words.indexOf('--');
  if (separator === -1) return undefined;
  const proxy = words.slice(0, separator).findIndex((word, i) => word === 'proxy' && isClawai(words[i - 1] ?? ''));
  const [server, ...serverArgs] = words.slice(separator + 1);
  if (proxy === -1 || server === undefined) return undefined;
  return {
    launcher: words.slice(0, proxy),
    flags: words.slice(proxy + 1, separator),
    server: { command: server, args: serverArgs },
  };
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

import { addGlobalFlags, asksForHelp, parseFlags, splitArgv, type SplitArgv } from './cli/argv.ts';
import { COMMANDS } from './cli/command-table.ts';
import type { Command, Parsed, TableEntry } from './cli/command.ts';
import { ClawaiError, EXIT } from './errors.ts';

// A client starts one `clawai proxy` per server, so nothing is imported here that this command does not need:
// help, versions and error texts are loaded when somebody asks for them.

/**
 * Runs one command line (without node and script) and sets the process's exit code: the command's own, or 2 where it
 * could not be run. Never rejects.
 */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    process.exitCode = await run(splitArgv(argv));
  } catch (thrown) {
    process.exitCode = EXIT.usage;
    const { printError } = await import('./cli/terminal/notes.ts');
    printError(await explain(thrown));
  }
}

async function explain(thrown: unknown): Promise<string> {
  const { formatBug, formatError } = await import('./cli/terminal/errors.ts');
  if (!(thrown instanceof ClawaiError)) return formatBug(thrown);
  const { createExcerpts } = await import('./cli/terminal/errors.ts');
  return formatError(thrown, createExcerpts());
}

async function run(argv: SplitArgv): Promise<number> {
  const [first] = argv.own;
  if (first === undefined || first.startsWith('-')) return runWithoutCommand(argv);
  if (first === 'help') return printHelp(argv.own.slice(1).filter((word) => word !== '--help' && word !== '-h'));

  const entry = findEntry(argv.own);
  if (entry === undefined) return runGroup(argv.own);
  const own = argv.own.slice(wordsOf(entry).length);
  // `clawai log vrify`: a command that others stand below takes no words of its own.
  if (isGroup(entry.name) && own[0]?.startsWith('-') === false) throw await unknownCommand(`${entry.name} ${own[0]}`);
  if (asksForHelp(own)) return printHelp(wordsOf(entry));
  const command = addGlobalFlags(await entry.load());
  if (command.meta.stdoutIs !== 'protocol') ignoreBrokenPipes();
  const parsed = parseFlags(command, { own, rest: argv.rest });
  return command.meta.stdoutIs === 'protocol' ? command.run(parsed) : runAsAsked(command, parsed);
}

/** Runs a command as the flags say that every command takes. */
async function runAsAsked(command: Command, parsed: Parsed): Promise<number> {
  const { color, quiet, verbose } = parsed.flags;
  if (quiet === true && verbose === true) throw usage('--quiet and --verbose contradict each other', 'give one of them');
  if (typeof color === 'string') (await import('./cli/terminal/colour.ts')).chooseColour(color);
  if (quiet === true) (await import('./cli/terminal/notes.ts')).beQuiet();
  if (verbose !== true) return command.run(parsed);
  const { noteWhatCounts } = await import('./cli/machine/version-command.ts');
  await noteWhatCounts(parsed.flags);
  const started = performance.now();
  const code = await command.run(parsed);
  (await import('./cli/terminal/notes.ts')).note(`exit code ${code} after ${Math.round(performance.now() - started)} ms`);
  return code;
}

async function runWithoutCommand({ own, rest }: SplitArgv): Promise<number> {
  const [flag, ...others] = own;
  if (flag === undefined && rest === undefined) {
    // A script that ends up here without any words has a mistake, so this is no success.
    const { formatOverview, helpWidth } = await import('./cli/help.ts');
    process.stderr.write(formatOverview('', helpWidth(process.stderr)));
    return EXIT.usage;
  }
  if (asksForHelp(own)) return printHelp([]);
  if ((flag === '--version' || flag === '-V') && others.length === 0 && rest === undefined) {
    ignoreBrokenPipes();
    const { VERSION } = await import('./cli/machine/version.ts');
    process.stdout.write(`${VERSION}\n`);
    return EXIT.ok;
  }
  if (flag === undefined) throw usage('a command is missing before --', 'write clawai proxy -- CMD');
  if (flag === '--version' || flag === '-V') throw usage(`${flag} stands alone`, 'clawai version says more');
  if (['-v', '--verbose', '-q', '--quiet'].includes(flag))
    throw usage(`${flag} is about a command`, 'write it behind the command; clawai --version prints the version');
  throw usage(`unknown flag ${flag}`, others.length === 0 ? undefined : 'the command comes first, its flags after it');
}

/** `clawai policy`: the first word of some commands, with none of them chosen; or a word that is no command at all. */
async function runGroup(own: readonly string[]): Promise<number> {
  const [group = '', second] = own;
  if (!isGroup(group)) throw await unknownCommand(group, own);
  if (asksForHelp(own)) return printHelp(own.slice(0, 2).filter((word) => !word.startsWith('-')));
  const inner = second === undefined || second.startsWith('-') ? undefined : `${group} ${second}`;
  const [, , third] = own;
  if (inner !== undefined && (!isGroup(inner) || (third !== undefined && !third.startsWith('-')))) {
    throw await unknownCommand(isGroup(inner) ? `${inner} ${third}` : inner, own);
  }
  const { formatOverview, helpWidth } = await import('./cli/help.ts');
  process.stderr.write(formatOverview(inner ?? group, helpWidth(process.stderr)));
  return EXIT.usage;
}

async function printHelp(words: readonly string[]): Promise<number> {
  ignoreBrokenPipes();
  const { formatHelp, formatOverview, helpWidth } = await import('./cli/help.ts');
  const width = helpWidth(process.stdout);
  const entry = findEntry(words);
  const name = words.join(' ');
  if (entry?.name === name) process.stdout.write(formatHelp(entry, addGlobalFlags(await entry.load()), width));
  else if (name === '' || isGroup(name)) process.stdout.write(formatOverview(name, width));
  else throw await unknownCommand(name, words);
  return EXIT.ok;
}

/** The command that these words begin with: of `log` and `log verify`, the longer one. */
function findEntry(words: readonly string[]): TableEntry | undefined {
  return COMMANDS.filter((entry) => wordsOf(entry).every((word, i) => words[i] === word)).toSorted(
    (a, b) => b.name.length - a.name.length,
  )[0];
}

function isGroup(word: string): boolean {
  return COMMANDS.some((entry) => entry.name.startsWith(`${word} `));
}

function wordsOf(entry: TableEntry): readonly string[] {
  return entry.name.split(' ');
}

/** `typed` is what to name in the message; of `words`, the first three or two may have been meant as one command. */
async function unknownCommand(typed: string, words: readonly string[] = typed.split(' ')): Promise<ClawaiError> {
  const { suggestCommand } = await import('./cli/help.ts');
  const meant = suggestCommand(words);
  return usage(`unknown command ${JSON.stringify(typed)}`, meant === undefined ? undefined : `did you mean clawai ${meant}?`);
}

function usage(message: string, hint = 'see clawai --help'): ClawaiError {
  return new ClawaiError(message, { code: 'usage', hint });
}

/**
 * `clawai … | head -1` closes our stdout early. That is the reader's right; it must neither crash nor change the exit code. A full disk does
 * change it, since what was printed is not all of it.
 */
function ignoreBrokenPipes(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.stderr.write(`clawai: stdout can't be written: ${error.message}\n`);
    process.exit(EXIT.usage);
  });
  process.stderr.on('error', () => {
    // Stderr is closed, so nobody can be told.
  });
}

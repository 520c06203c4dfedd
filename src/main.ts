import { asksForHelp, parseFlags, splitArgv, type SplitArgv } from './cli/argv.ts';
import { COMMANDS, type TableEntry } from './cli/command-table.ts';
import { suggestName } from './suggest.ts';
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
    process.stderr.write(await explain(thrown));
  }
}

async function explain(thrown: unknown): Promise<string> {
  const { formatBug, formatError } = await import('./cli/format-error.ts');
  if (!(thrown instanceof ClawaiError)) return formatBug(thrown);
  const { createExcerpts } = await import('./cli/excerpt.ts');
  return formatError(thrown, createExcerpts());
}

async function run(argv: SplitArgv): Promise<number> {
  const [first] = argv.own;
  if (first === undefined || first.startsWith('-')) return runWithoutCommand(argv);
  if (first === 'help') return printHelp(argv.own.slice(1).filter((word) => word !== '--help' && word !== '-h'));

  const entry = findEntry(argv.own);
  if (entry === undefined) return runGroup(argv.own);
  const command = await entry.load();
  const stdoutIsOurs = command.meta.helpTo !== 'stderr';
  if (stdoutIsOurs) ignoreBrokenPipes();
  const own = argv.own.slice(wordsOf(entry).length);
  if (asksForHelp(own)) {
    const { formatHelp } = await import('./cli/help.ts');
    (stdoutIsOurs ? process.stdout : process.stderr).write(formatHelp(command));
    return EXIT.ok;
  }
  return command.run(parseFlags(command, { own, rest: argv.rest }));
}

async function runWithoutCommand({ own, rest }: SplitArgv): Promise<number> {
  const [flag, ...others] = own;
  if (flag === undefined && rest === undefined) {
    // Nothing was asked for and nothing done: a script that ends up here has a mistake, so this is no success.
    const { formatOverview } = await import('./cli/help.ts');
    process.stderr.write(formatOverview());
    return EXIT.usage;
  }
  if (asksForHelp(own)) return printHelp([]);
  if ((flag === '--version' || flag === '-v') && others.length === 0 && rest === undefined) {
    ignoreBrokenPipes();
    const { VERSION } = await import('./cli/version.ts');
    process.stdout.write(`${VERSION}\n`);
    return EXIT.ok;
  }
  if (flag === undefined) throw usage('a command is missing before --', 'write clawai proxy -- CMD');
  if (flag === '--version' || flag === '-v') throw usage(`${flag} stands alone`);
  throw usage(`unknown flag ${flag}`, others.length === 0 ? undefined : 'the command comes first, its flags after it');
}

/** `clawai policy`: the first word of some commands, with none of them chosen; or a word that is no command at all. */
async function runGroup(own: readonly string[]): Promise<number> {
  const [group = '', second] = own;
  if (!isGroup(group)) throw unknownCommand(group, own);
  if (asksForHelp(own)) return printHelp(own.slice(0, 2).filter((word) => !word.startsWith('-')));
  const inner = second === undefined || second.startsWith('-') ? undefined : `${group} ${second}`;
  const [, , third] = own;
  if (inner !== undefined && (!isGroup(inner) || (third !== undefined && !third.startsWith('-')))) {
    throw unknownCommand(isGroup(inner) ? `${inner} ${third}` : inner, own);
  }
  const { formatOverview } = await import('./cli/help.ts');
  process.stderr.write(formatOverview(inner ?? group));
  return EXIT.usage;
}

async function printHelp(words: readonly string[]): Promise<number> {
  ignoreBrokenPipes();
  const { formatHelp, formatOverview } = await import('./cli/help.ts');
  const [first] = words;
  const entry = findEntry(words);
  if (entry !== undefined && wordsOf(entry).length === words.length) process.stdout.write(formatHelp(await entry.load()));
  else if (first === undefined) process.stdout.write(formatOverview());
  else if (isGroup(words.join(' '))) process.stdout.write(formatOverview(words.join(' ')));
  else throw unknownCommand(words.join(' '), words);
  return EXIT.ok;
}

function findEntry(words: readonly string[]): TableEntry | undefined {
  return COMMANDS.find((entry) => wordsOf(entry).every((word, i) => words[i] === word));
}

function isGroup(word: string): boolean {
  return COMMANDS.some((entry) => entry.name.startsWith(`${word} `));
}

function wordsOf(entry: TableEntry): readonly string[] {
  return entry.name.split(' ');
}

/** `typed` is what to name in the message; of `words`, the first three or two may have been meant as one command. */
function unknownCommand(typed: string, words: readonly string[]): ClawaiError {
  const names = COMMANDS.map((entry) => entry.name);
  const meant = [words.slice(0, 3).join(' '), words.slice(0, 2).join(' '), typed]
    .map((name) => suggestName(name, names))
    .find((name) => name !== undefined);
  return usage(`unknown command ${JSON.stringify(typed)}`, meant === undefined ? undefined : `did you mean clawai ${meant}?`);
}

function usage(message: string, hint = 'see clawai --help'): ClawaiError {
  return new ClawaiError(message, { code: 'usage', hint });
}

/** `clawai … | head -1` closes our stdout early. That is the reader's right; it must neither crash nor change the exit code. */
function ignoreBrokenPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}

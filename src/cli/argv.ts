import { parseArgs } from 'node:util';
import { type ArgsDef as CittyArgs, parseArgs as readFlags } from 'citty';
import { suggestName } from '../suggest.ts';
import { ClawaiError } from '../errors.ts';
import type { ArgDef, ArgsDef, Command, Parsed } from './command.ts';

/** argv cut at the first `--`: what is ours, and what is somebody else's command (undefined when there is no `--`). */
export interface SplitArgv {
  readonly own: readonly string[];
  readonly rest: readonly string[] | undefined;
}

/**
 * Cuts argv at the first `--`. This comes before any other look at argv, since `-h`, `--version` or a misspelt flag
 * behind it belong to the server and not to us.
 */
export function splitArgv(argv: readonly string[]): SplitArgv {
  const cut = argv.indexOf('--');
  return cut === -1 ? { own: argv, rest: undefined } : { own: argv.slice(0, cut), rest: argv.slice(cut + 1) };
}

/** Tells whether our own words include `-h` or `--help`. It counts at any place, so that it can be added to any command line. */
export function asksForHelp(own: readonly string[]): boolean {
  return own.some((word) => word === '-h' || word === '--help');
}

/** Flags that every command takes which prints an answer of its own; main.ts does what they say. */
const GLOBAL_FLAGS = {
  quiet: {
    type: 'boolean',
    letter: 'q',
    description: 'Print no notes, no progress and no passed checks.',
  },
  verbose: {
    type: 'boolean',
    letter: 'v',
    description: 'Print to stderr which config, policy and store are used, and the time it took.',
  },
  color: {
    type: 'enum',
    options: ['auto', 'always', 'never'],
    description: 'Use colours; auto does so on a terminal that has them (auto).',
  },
} as const;

/** A command that takes the flags that every command takes, too. Where stdout is another program's they mean nothing, and are not there. */
export function addGlobalFlags(command: Command): Command {
  const { args, meta } = command;
  if (meta.stdoutIs === 'protocol') return command;
  const { verbose, ...others } = GLOBAL_FLAGS;
  // A command that has more to print says so.
  const more = args['verbose'] === undefined ? '' : `${args['verbose'].description} `;
  return { ...command, args: { ...args, ...others, verbose: { ...verbose, description: `${more}${verbose.description}` } } };
}

/**
 * Parses the words after a command's name, strictly: nothing unknown, nothing twice, nothing missing.
 * `argv` is split but still without the command's name. Throws ClawaiError `usage`.
 *
 * citty reads the values but takes any word for a flag (`--polciy strict.toml` would run without a policy), so every word is
 * checked first, token by token. node:util's own strict mode can't do that: it does not know what was probably meant.
 */
export function parseFlags<A extends ArgsDef>(command: Command<A>, argv: SplitArgv): Parsed<A> {
  const own = [...argv.own];
  const words = checkWords(command, own);
  const values = readFlags(own, toCittyArgs(command.args));
  const flags = Object.entries(command.args).map(([name, def]) => [
    name,
    // citty takes `--no-llm` for the opposite of `--llm`, whatever is declared. Each word was checked, so that none is another flag's value.
    def.type === 'boolean' ? values[name] === true || own.includes(`--${name}`) : values[name],
  ]);
  // Every declared flag is there now, with a value of its declared type, since each word was checked.
  return { flags: Object.fromEntries(flags) as Parsed<A>['flags'], ...withRest(command, words, argv.rest) };
}

/** Returns the words that are no flags and no values of flags. */
function checkWords(command: Command, own: string[]): readonly string[] {
  const { tokens } = parseArgs({ args: own, options: toOptions(command.args), strict: false, tokens: true });
  const seen = new Set<string>();
  const words = new Set<string>();
  for (const token of tokens) {
    const word = own[token.index] ?? '';
    if (token.kind !== 'option') {
      addWord(command, words, word);
      continue;
    }
    const def = Object.hasOwn(command.args, token.name) ? command.args[token.name] : undefined;
    // A single dash is ours with one declared letter only: `-policy` would otherwise be read as the letters p, o, l, …
    if (def === undefined || !(word.startsWith('--') || word === `-${letterOf(def)}`)) throw unknownFlag(command, word);
    if (seen.has(token.name)) throw usage(command, `--${token.name} is given twice`);
    seen.add(token.name);
    if (def.type === 'boolean') checkSwitch(command, token);
    else checkValue(command, def, token);
  }
  for (const [name, def] of Object.entries(command.args)) {
    if (def.type !== 'boolean' && def.required === true && !seen.has(name)) throw usage(command, `--${name} is missing`);
  }
  return [...words];
}

/** Adds the words behind `--`: those of `rest`, else names that may look like a flag. */
function withRest(
  command: Command,
  before: readonly string[],
  behind: readonly string[] | undefined,
): Pick<Parsed, 'words' | 'rest'> {
  if (command.words === undefined || command.rest !== undefined || behind === undefined) {
    return { words: before, rest: checkRest(command, behind) };
  }
  const words = new Set(before);
  for (const word of behind) {
    if (word === '') throw unexpectedWord(command, word);
    if (words.has(word)) throw usage(command, `${JSON.stringify(word)} is given twice`);
    words.add(word);
  }
  return { words: [...words], rest: [] };
}

function addWord(command: Command, words: Set<string>, word: string): void {
  // A dash pasted from a word processor is no dash, and what is empty is a script's unset variable.
  if (command.words === undefined || word === '' || /^[–—]/.test(word)) throw unexpectedWord(command, word);
  if (words.has(word)) throw usage(command, `${JSON.stringify(word)} is given twice`);
  words.add(word);
}

function toCittyArgs(args: ArgsDef): CittyArgs {
  return Object.fromEntries(
    Object.entries(args).map(([name, def]) => [
      name,
      def.type === 'enum'
        ? { type: def.type, options: [...def.options] }
        : { type: def.type, alias: letterOf(def) === undefined ? [] : [letterOf(def) ?? ''] },
    ]),
  );
}

interface OptionToken {
  readonly name: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function toOptions(args: ArgsDef): Record<string, { type: 'string' | 'boolean'; short?: string }> {
  return Object.fromEntries(
    Object.entries(args).map(([name, def]) => {
      const letter = letterOf(def);
      const type = def.type === 'boolean' ? 'boolean' : 'string';
      return [name, letter === undefined ? { type } : { type, short: letter }];
    }),
  );
}

function letterOf(def: ArgDef): string | undefined {
  return def.type === 'enum' ? undefined : def.letter;
}

function checkSwitch(command: Command, token: OptionToken): void {
  if (token.value !== undefined) throw usage(command, `--${token.name} takes no value`);
}

function checkValue(command: Command, def: Exclude<ArgDef, { type: 'boolean' }>, token: OptionToken): void {
  const { name, value } = token;
  const what = def.type === 'enum' ? oneOf(def.options) : def.hint;
  if (value === undefined || value === '') throw usage(command, `--${name} needs a value: ${what}`);
  // `--policy --json` is a forgotten value far more often than a file of that name. A dash alone is stdin.
  if (token.inlineValue !== true && value.startsWith('-') && value !== '-') {
    throw usage(command, `--${name} needs a value: ${what}`, `if ${value} is meant, write --${name}=${value}`);
  }
  if (def.type === 'enum' && !def.options.includes(value)) {
    const meant = suggestName(value, def.options);
    const hint = meant === undefined ? undefined : `did you mean --${name} ${meant}?`;
    throw usage(command, `--${name}: ${JSON.stringify(value)} is unknown; it must be ${oneOf(def.options)}`, hint);
  }
}

function checkRest(command: Command, rest: readonly string[] | undefined): readonly string[] {
  const { name } = command.meta;
  if (command.rest === undefined) {
    if (rest !== undefined) throw usage(command, `\`clawai ${name}\` takes nothing after --`);
    return [];
  }
  if (rest === undefined && command.rest.isOptional === true) return [];
  if (rest === undefined)
    throw usage(command, `-- ${command.rest.hint} is missing`, `write clawai ${name} -- ${command.rest.hint}`);
  if (rest.length === 0 || rest[0] === '')
    throw usage(command, `there is no command after --`, `write clawai ${name} -- ${command.rest.hint}`);
  return rest;
}

function unknownFlag(command: Command, word: string): ClawaiError {
  const typed = word.split('=', 1)[0] ?? word;
  const isMaybeName = command.words !== undefined && command.rest === undefined;
  const name = isMaybeName ? `if it is a name, write clawai ${command.meta.name} -- ${typed}` : undefined;
  return usage(command, `unknown flag ${typed}`, suggestFlag(command, typed) ?? name);
}

function unexpectedWord(command: Command, word: string): ClawaiError {
  const message = `unexpected argument ${JSON.stringify(word)}`;
  if (command.rest !== undefined && command.rest.isOptional !== true)
    return usage(command, message, `${command.rest.what} goes after --: clawai ${command.meta.name} -- ${word} …`);
  // A dash pasted from a word processor is no dash, and some forget it.
  return usage(command, message, suggestFlag(command, word));
}

function suggestFlag(command: Command, typed: string): string | undefined {
  const name = suggestName(typed.replace(/^[-–—]+/, ''), Object.keys(command.args));
  return name === undefined ? undefined : `did you mean --${name}?`;
}

function oneOf(options: readonly string[]): string {
  return options.length < 2 ? options.join('') : `${options.slice(0, -1).join(', ')} or ${options.at(-1)}`;
}

function usage(command: Command, message: string, hint?: string): ClawaiError {
  return new ClawaiError(message, { code: 'usage', hint: hint ?? `see clawai help ${command.meta.name}` });
}

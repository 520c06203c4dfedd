import { ClawaiError } from '../errors.ts';

/**
 * A command. One file per command in this folder exports one value of this type, named `<name>Command`
 * (`proxyCommand` in proxy.ts, `policyTestCommand` in policy-test.ts), and gets one line in command-table.ts:
 *
 *     export const demoCommand = defineCommand({
 *       meta: { name: 'demo', description: 'Show a call that is allowed and one that is denied.' },
 *       args: { keep: { type: 'boolean', description: 'Keep the temporary folder.' } },
 *       async run({ flags }) {
 *         return flags.keep ? EXIT.ok : EXIT.mismatch;
 *       },
 *     });
 *
 * A command throws a ClawaiError for what people can put right, returns its exit code, and never exits by itself.
 */
export interface Command<A extends ArgsDef = ArgsDef> {
  readonly meta: CommandMeta;
  readonly args: A;
  /** Words that may stand between the flags, any number of them, and behind `--` where there is no `rest`. Without it, every such word is refused. */
  readonly words?: WordsDef;
  /** The words after `--`, at least one, which clawai never reads. A command with neither this nor `words` refuses `--`. */
  readonly rest?: RestDef;
  /** Runs the command; resolves to the process's exit code (`EXIT` in errors.ts, or the code of a child). */
  run(parsed: Parsed<A>): Promise<number>;
}

/** One command: its line in help texts, and how to get at it without loading any other. */
export interface TableEntry {
  readonly name: string;
  readonly summary: string;
  /** The heading of `clawai --help` for its first word. */
  readonly heading: Heading;
  /** Set for a name of before, which stays for scripts and is not shown: the command that took its place. */
  readonly movedTo?: string;
  load(): Promise<Command>;
}

export type Heading = 'start here' | 'every day' | 'policy and trust' | 'run, and clawai itself';

export interface CommandMeta {
  /** The words after `clawai`, such as `policy test`. */
  readonly name: string;
  /** One sentence. */
  readonly description: string;
  /** Shown below the flags: paragraphs of plain text; they are wrapped. */
  readonly notes?: readonly string[];
  /** Whole command lines that work as written. */
  readonly examples?: readonly string[];
  /** Meanings of exit codes, where a command says more than done (0) and could not be done (2). */
  readonly exitCodes?: Readonly<Record<string, string>>;
  /** Set where stdout belongs to a protocol or to another program: then whoever writes it handles its errors. */
  readonly stdoutIs?: 'protocol';
}

export interface WordsDef {
  /** The command does nothing without one. */
  readonly isRequired?: boolean;
  /** The placeholder in the usage line, such as `SERVER…`. */
  readonly hint: string;
  readonly description: string;
  /** All that may stand there, where that is known before. */
  readonly options?: readonly string[];
}

export interface RestDef {
  /** The placeholder in the usage line, such as `CMD [ARG…]`. */
  readonly hint: string;
  /** The name of these words in a sentence: `the server's command`. */
  readonly what: string;
  readonly description: string;
  /** True if there may be no `--` at all; then `rest` is empty. */
  readonly isOptional?: true;
}

/** The flags of a command, by long name without dashes (`'fixture-dir'`). */
export type ArgsDef = Readonly<Record<string, ArgDef>>;
export type ArgDef = StringArg | EnumArg | BooleanArg;

/** `--policy FILE`: one value, at most once, never empty. */
export interface StringArg {
  readonly type: 'string';
  readonly description: string;
  /** The placeholder of the value in help, such as `FILE`. */
  readonly hint: string;
  /** A letter that stands for it behind one dash (`-n 5`), alone: letters are never joined. */
  readonly letter?: string;
  readonly required?: boolean;
}

/** `--expect deny`: one value out of a list. */
export interface EnumArg {
  readonly type: 'enum';
  readonly description: string;
  readonly options: readonly string[];
  readonly required?: boolean;
}

/** `--json`: present or not. */
export interface BooleanArg {
  readonly type: 'boolean';
  readonly description: string;
  /** A letter that stands for it behind one dash (`-f`), alone: letters are never joined. */
  readonly letter?: string;
}

/** The parsed words: `flags` by name (booleans always set), `words` between them (none empty, none twice), `rest` the words after `--`. */
export interface Parsed<A extends ArgsDef = ArgsDef> {
  readonly flags: { readonly [K in keyof A]: FlagValue<A[K]> };
  readonly words: readonly string[];
  readonly rest: readonly string[];
}

type FlagValue<D extends ArgDef> = D extends BooleanArg
  ? boolean
  : D extends EnumArg
    ? Optional<D, D['options'][number]>
    : Optional<D, string>;

type Optional<D, T> = D extends { readonly required: true } ? T : T | undefined;

/** Gives a command its exact flag types; returns it as it is. */
export function defineCommand<const A extends ArgsDef>(command: Command<A>): Command<A> {
  return command;
}

/** An error of a command line, with what to write instead. */
export function usageError(message: string, hint: string): ClawaiError {
  return new ClawaiError(message, { code: 'usage', hint });
}

/** The error where flags say different things, such as `--limit and --all`. */
export function contradiction(what: string): ClawaiError {
  return usageError(`${what} contradict each other`, 'give one of them');
}

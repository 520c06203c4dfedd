import { ExactNumber, type JsonObject, type JsonValue } from '../json.ts';

/** Last words of the names of arguments that are a command line where they are lists. */
const WORDS = /^(?:args|argv|arguments|cmd|command|exec|execute|program|run|bash|sh|shell)$|(?:cmd|command)[-_ ]?line$/i;

/** Nobody calls an argument by a longer name. */
const LONGEST_NAME = 64;

/** Names of what is run, and of what it is called with. */
const PROGRAMS: ReadonlySet<string> = new Set(['bin', 'binary', 'cmd', 'command', 'exec', 'executable', 'program']);
const PARAMETERS = ['args', 'argv', 'arguments', 'flags', 'options', 'parameters', 'params'];

/** Names of much else besides, which need the plainest of the others beside them. */
const VAGUE_PROGRAMS: ReadonlySet<string> = new Set(['file', 'name', 'path']);
const PLAIN_PARAMETERS = PARAMETERS.slice(0, 3);

/** Part of each of all these names: most have nothing of it. */
const PART = /arg|bin|cmd|command|exec|file|name|path|program|run|sh/i;

/** May an argument of this name be a command line, or begin one? Told quickly. */
export function mayBeLine(name: string): boolean {
  return PART.test(name);
}

/** What a word is in a line. */
type Quote = (word: string) => string;

/** Is a list of this name a command line, one word for each element? `cmd`, `commandLine`, `shell_args`; not `commands`, which are several. */
export function isWordsName(name: string): boolean {
  return name.length <= LONGEST_NAME && (WORDS.test(name) || WORDS.test(/[A-Z]?[a-z]+$/.exec(name)?.[0] ?? ''));
}

/** A list of words as one line; undefined where it has less than two, and so says nothing that they do not. */
export function joinWords(list: readonly JsonValue[], quote?: Quote): string | undefined {
  const words = wordsOf(list, quote);
  return words.length < 2 ? undefined : words.join(' ');
}

/**
 * The line of a program whose arguments stand beside it: `{ "command": "rm", "args": ["-rf", "/"] }`. Undefined where this member is no
 * program, or nothing is beside it. No more than one line of each program's name comes of one object.
 *
 * @param name of the member
 */
export function joinBeside(node: JsonObject, name: string, quote?: Quote): string | undefined {
  const isVague = VAGUE_PROGRAMS.has(name);
  if (!isVague && !PROGRAMS.has(name)) return undefined;
  const program = textsOf(node[name], quote);
  if (program.length === 0) return undefined;
  const rest = (isVague ? PLAIN_PARAMETERS : PARAMETERS).flatMap((key) =>
    Object.hasOwn(node, key) ? textsOf(node[key], quote) : [],
  );
  return rest.length === 0 ? undefined : [...program, ...rest].join(' ');
}

/** A text is a line, or a part of one, already. */
function textsOf(value: JsonValue | undefined, quote: Quote | undefined): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return Array.isArray(value) ? wordsOf(value as readonly JsonValue[], quote) : [];
}

/** What is no text and no number is left out: whoever runs the list does not run that. */
function wordsOf(list: readonly JsonValue[], quote: Quote = (word) => word): readonly string[] {
  return list.flatMap((element) => {
    if (typeof element === 'string') return [quote(element)];
    if (typeof element === 'number') return [String(element)];
    return element instanceof ExactNumber ? [element.source] : [];
  });
}

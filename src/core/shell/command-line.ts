import { ExactNumber, type JsonObject, type JsonValue } from '../json.ts';

/** Matches last words of the names of lists that are a command line. */
const WORDS = /^(?:args|argv|arguments|cmd|command|exec|execute|program|run|bash|sh|shell)$|(?:cmd|command)[-_ ]?line$/i;

/** No honest argument has a longer name. */
const LONGEST_NAME = 64;

/** Names of programs, and of their arguments. */
const PROGRAMS: ReadonlySet<string> = new Set(['bin', 'binary', 'cmd', 'command', 'exec', 'executable', 'program']);
const PARAMETERS = ['args', 'argv', 'arguments', 'flags', 'options', 'parameters', 'params'];

/** Names with many other meanings, which count only beside the plainest of the others. */
const VAGUE_PROGRAMS: ReadonlySet<string> = new Set(['file', 'name', 'path']);
const PLAIN_PARAMETERS = PARAMETERS.slice(0, 3);

/** Matches a part of each of these names; most other names contain none. */
const PART = /arg|bin|cmd|command|exec|file|name|path|program|run|sh/i;

/** A quick check whether an argument of this name may be a command line, or begin one. */
export function mayBeLine(name: string): boolean {
  return PART.test(name);
}

/** Quotes a word for a line. */
type Quote = (word: string) => string;

/**
 * Tells whether a list of this name is a command line, one word for each element: `cmd`, `commandLine`, `shell_args`; not `commands`, which
 * are several.
 */
export function isWordsName(name: string): boolean {
  return name.length <= LONGEST_NAME && (WORDS.test(name) || WORDS.test(/[A-Z]?[a-z]+$/.exec(name)?.[0] ?? ''));
}

/** Joins a list of words to one line; undefined for fewer than two, which tell nothing new. */
export function joinWords(list: readonly JsonValue[], quote?: Quote): string | undefined {
  const words = wordsOf(list, quote);
  return words.length < 2 ? undefined : words.join(' ');
}

/**
 * The line of a program whose arguments stand beside it: `{ "command": "rm", "args": ["-rf", "/"] }`. Undefined if this member is no
 * program, or has nothing beside it. One object gives at most one line for each name of a program.
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

/** The words of a value; a text is already a line, or a part of one. */
function textsOf(value: JsonValue | undefined, quote: Quote | undefined): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return Array.isArray(value) ? wordsOf(value as readonly JsonValue[], quote) : [];
}

/** The words of a list; elements that are neither text nor number are skipped, since no program runs them. */
function wordsOf(list: readonly JsonValue[], quote: Quote = (word) => word): readonly string[] {
  return list.flatMap((element) => {
    if (typeof element === 'string') return [quote(element)];
    if (typeof element === 'number') return [String(element)];
    return element instanceof ExactNumber ? [element.source] : [];
  });
}

import type { Severity } from '../../finding.ts';
import { matchAt } from '../match-at.ts';
import type { Detection, Family } from '../types.ts';

/** The purpose of a string in a call's arguments. */
export type ArgumentKind =
  /** Names a file or a folder. */
  | 'path'
  | 'url'
  /** For a shell or an interpreter: anything may be in it. */
  | 'command'
  /** For people, a file's content, code: anything may be in it. */
  | 'text'
  /** A name, an option, a number: what a program puts into a command of its own. */
  | 'word';

export interface Argument {
  /** e.g. `arguments.path`. */
  readonly field: string;
  /** Its key, or that of the list around it. */
  readonly name: string;
  readonly kind: ArgumentKind;
  readonly sent: string;
  /** Normalised text. */
  readonly plain: string;
  /** Converts an offset in `plain` to one in `sent`. */
  at(plainOffset: number): number;
}

const COMMAND =
  /(?:^|[_-])(?:cmds?|commands?|script|shell|bash|sh|powershell|exec|code|source|snippet|expression|expr|function|program|args|argv)$/i;
const TEXT =
  /(?:^|[_-])(?:content|contents|text|body|message|messages|prompt|query|sql|q|search|description|summary|title|subject|comment|note|notes|markdown|md|html|css|json|yaml|xml|data|payload|input|stdin|patch|diff|template|regex|regexp|pattern|patterns|glob|globs|include|exclude|filter|old_?str|new_?str|old_?string|new_?string|old_?text|new_?text|thought|question|answer|reason|explanation|jq|xpath|selector|format|find|replace|replacement|instructions?|details?|output|results?)$/i;
const PATH =
  /(?:^|[_-])(?:path|paths|file|files|filename|filepath|dir|dirs|directory|folder|root|cwd|workdir|dest|destination|src|target|location|from|to)$/i;
const URL_NAME = /(?:^|[_-])(?:url|urls|uri|uris|href|link|endpoint|host|origin)$/i;

/** Matches one line without spaces that is written like a path. */
const LIKE_PATH = /^(?:file:|[A-Za-z]:[\\/]|~?[\\/]|\.{1,2}[\\/])[^\n]{0,1024}$|^[^\s/]{1,128}(?:[\\/][^\s/]{0,128}){1,64}$/;

/**
 * Longest value that counts as a name or an option, and longest one with a line end in it: honest names have none, and a longer value is a
 * text.
 */
const MOST_WORD = 256;
const MOST_LINES = 64;

/** The kind of an argument by its name, or else by its form. */
export function argumentKind(name: string, value: string): ArgumentKind {
  const key = name.replaceAll(/([a-z])([A-Z])/g, '$1_$2');
  if (COMMAND.test(key)) return 'command';
  if (/^[a-z][a-z+.-]{1,16}:\/\//i.test(value) && !/^file:/i.test(value)) return 'url';
  if (PATH.test(key) || (URL_NAME.test(key) && LIKE_PATH.test(value)))
    return value.length > 4096 || value.includes('\n') ? 'text' : 'path';
  if (URL_NAME.test(key)) return 'url';
  if (TEXT.test(key)) return LIKE_PATH.test(value) ? 'path' : 'text';
  if (value.length > MOST_WORD || (value.length > MOST_LINES && value.includes('\n'))) return 'text';
  return LIKE_PATH.test(value) ? 'path' : 'word';
}

export interface ArgumentFinding {
  /** Rule id with its family. */
  readonly rule: `${Family}.${string}`;
  readonly severity: Severity;
  readonly description: string;
  readonly start: number;
  readonly end: number;
}

/** Converts a finding to a detection for people; offsets are of `sent`. */
export function argumentDetection(
  { field, sent }: Argument,
  { rule, severity, description, start, end }: ArgumentFinding,
): Detection {
  const family = rule.slice(0, rule.indexOf('.')) as Family;
  return { rule, family, severity, description, field, matches: [matchAt(sent, start, end)] };
}

/** Works like `argumentDetection`, with a match in `plain`. */
export function plainDetection(
  argument: Argument,
  match: RegExpExecArray,
  finding: Omit<ArgumentFinding, 'start' | 'end'>,
): Detection {
  const start = argument.at(match.index);
  const end = argument.at(match.index + match[0].length);
  return argumentDetection(argument, { ...finding, start, end });
}

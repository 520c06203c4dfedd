import { PROGRAMS } from '../../known-programs.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { normalise } from '../normalise/normalise.ts';
import type { Detection, Family } from '../types.ts';
import { type Argument, argumentKind, plainDetection } from './argument.ts';
import { findCredentials } from './find-credentials.ts';
import { findTraversal } from './find-traversal.ts';

/** Matches a separator of commands and a program behind it; a substitution; a redirection to a system file. */
const INJECTION = new RegExp(
  String.raw`(?:;|\|\|?|&&?|\n|%0a)\s{0,8}(?:${PROGRAMS})(?=$|[\s;|&<>"'])|\$\([^()\n]{1,256}\)|\x60(?:(?:${PROGRAMS})(?=[\x60\s])|[^\x60\s]{1,64}[ ])[^\x60\n]{0,256}\x60|\$\{ifs\}|[<>]\([^()\n]{1,256}\)|>{1,2}\s{0,4}/(?:etc|dev|root|home|tmp)/`,
);

/** Bounds on the strings that are inspected, and on their depth. */
const MOST_TEXTS = 2000;
const MOST_DEPTH = 32;
/** Longer strings are content, not a name of something. */
const MOST_LENGTH = 65_536;

const FINDERS: readonly { readonly family: Family; readonly find: (argument: Argument) => readonly Detection[] }[] = [
  { family: 'path_traversal', find: findTraversal },
  { family: 'shell_injection', find: findInjection },
  { family: 'credential_theft', find: findCredentials },
];

/**
 * Inspects a call's arguments: paths that climb out of where they start, shell syntax where no shell is expected, paths to credentials,
 * secrets. An argument's name (code, a command, a text, a pattern) is trusted to tell its kind.
 *
 * @param isOn tells which families are looked for
 */
export function inspectArguments(args: JsonObject, isOn: (family: Family) => boolean): readonly Detection[] {
  const finders = FINDERS.filter(({ family }) => isOn(family));
  if (finders.length === 0) return [];
  return textsOf(args).flatMap((argument) => finders.flatMap(({ find }) => find(argument)));
}

function textsOf(args: JsonObject): Argument[] {
  const found: Argument[] = [];
  collect(args, { field: 'arguments', name: '', depth: 0 });
  return found;

  function collect(value: JsonValue, place: { field: string; name: string; depth: number }): void {
    const { field, name, depth } = place;
    if (found.length >= MOST_TEXTS || depth > MOST_DEPTH) return;
    if (typeof value === 'string') {
      const sent = value.slice(0, MOST_LENGTH);
      const { plain, at } = normalise(sent);
      found.push({ field, name, kind: argumentKind(name, sent), sent, plain, at });
    } else if (Array.isArray(value)) {
      for (const [index, item] of (value as readonly JsonValue[]).entries())
        collect(item, { field: `${field}[${index}]`, name, depth: depth + 1 });
    } else if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value))
        collect(member, { field: `${field}.${key}`, name: key, depth: depth + 1 });
    }
  }
}

/**
 * Finds shell syntax in arguments that name something: a server that builds a command of them runs the rest. Commands, code and texts may
 * contain it.
 */
export function findInjection(argument: Argument): readonly Detection[] {
  if (argument.kind === 'text' || argument.kind === 'command') return [];
  const match = INJECTION.exec(argument.plain);
  if (match === null) return [];
  if (argument.kind === 'url' && match[0].startsWith('&')) return [];
  const description = 'shell syntax in an argument that names something: a server that builds a command from it runs the rest';
  return [plainDetection(argument, match, { rule: 'shell_injection.argument', severity: 'medium', description })];
}

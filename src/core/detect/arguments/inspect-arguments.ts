import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { normalise } from '../normalise/normalise.ts';
import type { Detection, Family } from '../types.ts';
import { findCredentials } from './find-credentials.ts';
import { findInjection } from './find-injection.ts';
import { findTraversal } from './find-traversal.ts';
import { argumentKind, type Argument } from './argument.ts';

/** Strings beyond so many are not looked at, nor what lies deeper. */
const MOST_TEXTS = 2000;
const MOST_DEPTH = 32;
/** What is longer is content, not a name of something. */
const MOST_LENGTH = 65_536;

const FINDERS: readonly { readonly family: Family; readonly find: (argument: Argument) => readonly Detection[] }[] = [
  { family: 'path_traversal', find: findTraversal },
  { family: 'shell_injection', find: findInjection },
  { family: 'credential_theft', find: findCredentials },
];

/**
 * Looks at a call's arguments: paths that climb out of where they start, shell syntax where no shell is spoken to, paths to credentials, secrets. What an argument's name says
 * it is (code, a command, a text, a pattern) is taken for that.
 *
 * @param isOn which families are looked for
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

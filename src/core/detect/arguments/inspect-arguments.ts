import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { normalise } from '../normalise/normalise.ts';
import type { Detection, Family } from '../types.ts';
import { type Argument, argumentKind, plainDetection } from './argument.ts';
import { findCredentials } from './find-credentials.ts';
import { findTraversal } from './find-traversal.ts';

const PROGRAMS =
  'cat|curl|wget|nc|ncat|netcat|sh|bash|zsh|dash|ksh|pwsh|powershell|cmd|python3?|perl|ruby|node|php|rm|mv|cp|chmod|chown|sudo|su|id|whoami|uname|env|printenv|ls|ping|nslookup|dig|kill|echo|printf|touch|tee|dd|base64|eval|exec|sleep|mkfifo|crontab|scp|ssh|rsync|tftp|find|xargs|awk|sed|reboot|shutdown|type|dir|del|certutil|bitsadmin';

/** A separator of commands and a program behind it; a substitution; a redirection to a file of the system. */
const INJECTION = new RegExp(
  String.raw`(?:;|\|\|?|&&?|\n|%0a)\s{0,8}(?:${PROGRAMS})(?=$|[\s;|&<>"'])|\$\([^()\n]{1,256}\)|\x60(?:(?:${PROGRAMS})(?=[\x60\s])|[^\x60\s]{1,64}[ ])[^\x60\n]{0,256}\x60|\$\{ifs\}|[<>]\([^()\n]{1,256}\)|>{1,2}\s{0,4}/(?:etc|dev|root|home|tmp)/`,
);

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

/** Shell syntax in arguments that name something: a server that puts them into a command runs what is behind. Commands, code and texts are what they are for. */
export function findInjection(argument: Argument): readonly Detection[] {
  if (argument.kind === 'text' || argument.kind === 'command') return [];
  const match = INJECTION.exec(argument.plain);
  if (match === null) return [];
  if (argument.kind === 'url' && match[0].startsWith('&')) return [];
  const description =
    'shell syntax in an argument that names something: a server that builds a command of it runs what is behind';
  return [plainDetection(argument, match, { rule: 'shell_injection.argument', severity: 'medium', description })];
}

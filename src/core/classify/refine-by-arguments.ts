import { ExactNumber, isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import type { Category } from '../call.ts';
import { argumentDestroys, callDeletes, isRequestToDelete, isStatement, mayDestroy } from './destroys.ts';
import { isOutput, mayBeOutput } from './parameter-words.ts';
import type { Parameter } from './read-parameters.ts';
import { remember } from '../remember.ts';
import {
  commandTalks,
  isCommand,
  isOfCommands,
  isOfEditor,
  isTyped,
  namesRunning,
  statementRuns,
  takesCommands,
} from './runs-commands.ts';
import { splitName } from './split-name.ts';

/** Bounds on the values that are read, and on their depth. Arguments come from a model, and honest ones with more contain long lists. */
const MOST_VALUES = 10_000;
const MOST_DEPTH = 32;

/** The MongoDB stage that replaces a whole collection with its results. */
const REPLACING = '$out';

interface Look {
  readonly found: Set<Category>;
  readonly name: () => readonly string[];
  readonly declared: (name: string) => Parameter | undefined;
  values: number;
}

/**
 * The categories that one call's arguments add to those of the tool: a text under a name for commands, a flag or a statement that destroys,
 * a command that sends to other machines. Empty for ordinary arguments; `unknown` in addition if there are more than can be read.
 *
 * @param name the words of the tool's name, read only if they matter
 * @param declared the parameter of that name in the tool's schema, if there is one: a parameter that takes no text takes no command
 */
export function refineByArguments(args: JsonObject, name: Look['name'], declared: Look['declared']): ReadonlySet<Category> {
  const look: Look = { found: new Set(), name, declared, values: 0 };
  if (Object.keys(args).length > 0 && callDeletes(name()) && !isCommit(declared)) look.found.add('write').add('destroy');
  visitMembers(look, args, 0);
  return look.found;
}

/** Tells whether a tool takes a commit message and a branch: its deletions stay in the branch's history. */
function isCommit(declared: Look['declared']): boolean {
  return declared('branch') !== undefined && (declared('message') ?? declared('commit_message')) !== undefined;
}

function visitMembers(look: Look, node: JsonObject, depth: number): void {
  let named: NamedArgument[] | undefined;
  for (const key of Object.keys(node)) {
    const value = node[key] ?? null;
    if (key === REPLACING) look.found.add('write').add('destroy');
    const name = telling(key);
    if (isRequestToDelete(name)) look.found.add('write').add('destroy');
    if (name !== '') (named ??= []).push({ name, value, isText: isText(value) });
    visit(look, value, depth + 1);
  }
  if (named !== undefined) lookAt(look, named);
}

function visit(look: Look, node: JsonValue, depth: number): void {
  if (typeof node !== 'object' || node === null || node instanceof ExactNumber) return;
  look.values += 1;
  if (look.values > MOST_VALUES || depth > MOST_DEPTH) {
    look.found.add('unknown');
    return;
  }
  if (isJsonObject(node)) return visitMembers(look, node, depth);
  for (const element of node as readonly JsonValue[]) if (typeof element === 'object') visit(look, element, depth);
}

/** An argument whose name tells something. */
interface NamedArgument extends Pick<Parameter, 'name' | 'isText'> {
  readonly value: JsonValue;
}

/** @param all arguments of one object */
function lookAt(look: Look, all: readonly NamedArgument[]): void {
  const { found } = look;
  const name = look.name();
  const named = all.filter(
    ({ name: key, value }) => !(key === 'command' && typeof value === 'string' && isOfEditor(value, name)),
  );
  let isRunning = namesRunning(name);
  const runs = (parameters: readonly NamedArgument[]): boolean =>
    takesCommands(parameters, name) || parameters.some((parameter) => parameter.isText && isCommand(parameter.name));
  if (
    runs(named) &&
    runs(named.map((each) => ({ ...each, isText: each.isText && look.declared(each.name)?.isText !== false })))
  ) {
    found.add('write').add('compute').add('execute');
    isRunning = true;
  }
  for (const each of named) {
    const text = textOf(each.value);
    if (text === undefined) continue;
    if ((isStatement(each.name) && statementRuns(text)) || isTyped(each.name, text, name))
      found.add('write').add('compute').add('execute');
    if (isRunning && isOfCommands(each.name) && commandTalks(text)) found.add('send');
    if (isOutput(each.name, text, name)) found.add('write');
    if (argumentDestroys(each.name, text, name)) found.add('write').add('destroy');
  }
}

function isText(value: JsonValue): boolean {
  return value !== true && !isZero(value) && textOf(value) !== undefined;
}

function isZero(value: JsonValue): boolean {
  return value === 0 || (value instanceof ExactNumber && Number(value.source) === 0);
}

/** A text, the texts of a list as separate statements, or the text of `true` and zero. */
function textOf(value: JsonValue): string | undefined {
  if (typeof value === 'string') return value;
  if (isZero(value)) return '0';
  if (value === true) return 'true';
  if (!Array.isArray(value)) return undefined;
  const texts = (value as readonly JsonValue[]).filter((each) => typeof each === 'string');
  return texts.length === 0 ? undefined : texts.join(' ; ');
}

/** Nobody calls an argument by a longer name. */
const LONGEST = 64;

/** The words of an argument's name with `_` between them; empty where such a name tells nothing. */
const telling = remember(
  (key) => {
    if (key.length > LONGEST) return '';
    const name = splitName(key).join('_');
    return isOfCommands(name) || mayDestroy(name) || isRequestToDelete(name) || mayBeOutput(name) ? name : '';
  },
  { most: 1024, longest: LONGEST },
);

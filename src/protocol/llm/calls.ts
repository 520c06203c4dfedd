import type { ModelCall } from './dialect.ts';
import { isObject, type JsonObject } from './json-object.ts';
import { findKeyProblem } from './json-text.ts';

/** Matches keys that hold calls, in any API: `tool_calls`, `functionCall`, `tool_use`. */
const CALL_KEY = /(?:calls?|tooluses?)$/;

/** Matches types of calls: `function_call`, `tool_use`, `custom_tool_call`. */
const CALL_TYPE = /(?:^|[._-])(?:call|tool_use)$|(?:function|tool)_?(?:call|use)/i;

/** Keys of a call's arguments, beside its name. */
const ARGUMENTS = ['arguments', 'args', 'input', 'partial_json'];

/** Matches such a key or type in a text that may not be JSON, or not to all readers. */
const WORD = /"(?:\w*_)?(?:tool_?calls?|function_?calls?|tool_?uses?)"/i;

/**
 * Reads the arguments of a call as strictly as the strictest client: one JSON object without duplicate keys at any depth. Clients differ on
 * anything else: most take the last of two values, some repair broken JSON and run it.
 *
 * @param text the arguments as they came; empty if nothing came, which clients take for `{}`
 */
export function readArguments(text: string): { readonly args: string; readonly problem: ModelCall['problem'] } {
  const args = text === '' ? '{}' : text;
  return { args, problem: findArgumentsProblem(args) };
}

/** Characters from which arguments are parsed only once, by the code that decides: the parsed value takes as much memory again. */
const BIG = 1024 * 1024;

function findArgumentsProblem(args: string): ModelCall['problem'] {
  // The decision denies arguments that it can't parse.
  if (args.length > BIG) return namesPrototype(args) ? 'duplicate_key' : toProblem(findKeyProblem(args));
  let value: unknown;
  try {
    value = JSON.parse(args);
  } catch {
    // Invalid JSON has no single reading.
    return 'invalid_json';
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'not_an_object';
  return namesPrototype(args) ? 'duplicate_key' : toProblem(findKeyProblem(args));
}

/** Tells whether there is a `__proto__` key: JavaScript programs that copy such an object may get other members than it shows. */
function namesPrototype(args: string): boolean {
  return (args.includes('__proto') || args.includes('\\u')) && PROTOTYPE.test(withoutEscapes(args));
}

/** Matches it as a key only: inside a string, its quotes are preceded by a backslash. */
const PROTOTYPE = /"__proto__"\s*:/;

/** Arguments nested beyond what policies follow can't be decided, like arguments that are too long. */
function toProblem(problem: ReturnType<typeof findKeyProblem>): ModelCall['problem'] {
  return problem === 'too_deep' ? 'too_long' : problem;
}

/**
 * Tells whether a member looks like calls, in the words of any API. Numbers and texts under such names only describe calls.
 *
 * @param key in any spelling
 */
function isCallMember(key: string, value: unknown): boolean {
  const isSome = Array.isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0;
  return isSome && CALL_KEY.test(key.toLowerCase().replaceAll(/[_-]/g, ''));
}

/**
 * Tells whether a value contains anything that looks like a call, at any depth: by a key, by a type, or by a name with arguments. Members
 * of `usage` don't count.
 */
export function holdsCallWords(value: unknown): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (isObject(next) && looksLikeCall(next)) return true;
    for (const [key, inner] of Object.entries(next)) if (key !== 'usage') open.push(inner);
  }
  return false;
}

function looksLikeCall(object: JsonObject): boolean {
  const { type, name } = object;
  if (typeof type === 'string' && CALL_TYPE.test(type)) return true;
  if (typeof name === 'string' && ARGUMENTS.some((key) => (object[key] ?? null) !== null)) return true;
  return Object.entries(object).some(([key, value]) => key !== 'usage' && isCallMember(key, value));
}

/**
 * Tells whether a text contains a word of calls as a whole string. If only some readers parse the text as JSON, nothing more can be known.
 */
export function mentionsCalls(text: string): boolean {
  return WORD.test(withoutEscapes(text));
}

/** Replaces JSON's numeric escapes by their characters. */
export function withoutEscapes(text: string): string {
  return text.replaceAll(/\\u([0-9a-f]{4})/gi, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

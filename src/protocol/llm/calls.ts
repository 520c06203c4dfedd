import type { ModelCall } from './dialect.ts';
import { isObject, type JsonObject } from './json-object.ts';
import { findKeyProblem } from './json-text.ts';

/** What calls are kept under, in any API: `tool_calls`, `functionCall`, `tool_use`. */
const CALL_KEY = /(?:calls?|tooluses?)$/;

/** What calls say that they are: `function_call`, `tool_use`, `custom_tool_call`. */
const CALL_TYPE = /(?:^|[._-])(?:call|tool_use)$|(?:function|tool)_?(?:call|use)/i;

/** What a call's arguments are under, beside its name. */
const ARGUMENTS = ['arguments', 'args', 'input', 'partial_json'];

/** Such a key or type, in a text that may be no JSON, or not to all readers. */
const WORD = /"(?:\w*_)?(?:tool_?calls?|function_?calls?|tool_?uses?)"/i;

/**
 * Reads the arguments of a call as strictly as the strictest client: one JSON object in which no key occurs twice at any depth.
 * Clients differ on anything else: most take the last of two values, some repair broken JSON and run it.
 *
 * @param text the arguments as they came; empty where nothing came, which clients take for `{}`
 */
export function readArguments(text: string): { readonly args: string; readonly problem: ModelCall['problem'] } {
  const args = text === '' ? '{}' : text;
  return { args, problem: findArgumentsProblem(args) };
}

/** Characters from which on arguments are read once, by whoever decides about them: their value takes as much as they do. */
const BIG = 1024 * 1024;

function findArgumentsProblem(args: string): ModelCall['problem'] {
  // What can't be read is denied then.
  if (args.length > BIG) return namesPrototype(args) ? 'duplicate_key' : toProblem(findKeyProblem(args));
  let value: unknown;
  try {
    value = JSON.parse(args);
  } catch {
    // Whatever is wrong with it, there is no one way to read it.
    return 'invalid_json';
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'not_an_object';
  return namesPrototype(args) ? 'duplicate_key' : toProblem(findKeyProblem(args));
}

/** Has it a key by which programs in JavaScript that copy it may get other members than it shows? */
function namesPrototype(args: string): boolean {
  return (args.includes('__proto') || args.includes('\\u')) && PROTOTYPE.test(withoutEscapes(args));
}

/** As a key: what stands in a text has a backslash before its quotes. */
const PROTOTYPE = /"__proto__"\s*:/;

/** Nesting that no policy follows can't be decided, as little as what is too long. */
function toProblem(problem: ReturnType<typeof findKeyProblem>): ModelCall['problem'] {
  return problem === 'too_deep' ? 'too_long' : problem;
}

/**
 * Does a member look like calls, in the words of whichever API? Numbers and texts of such names tell of calls.
 *
 * @param key in whatever spelling
 */
function isCallMember(key: string, value: unknown): boolean {
  const isSome = Array.isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0;
  return isSome && CALL_KEY.test(key.toLowerCase().replaceAll(/[_-]/g, ''));
}

/** Is anything in a value that looks like a call, by a key, by a type, or by a name with arguments? However deep it is nested. What was used is no call. */
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

/** Has a text a word in it that calls are told by, as a whole string? Of a text that is read as JSON by some readers alone, this is all that can be known. */
export function mentionsCalls(text: string): boolean {
  return WORD.test(withoutEscapes(text));
}

/** A text with the characters that JSON's escapes stand for by number. */
export function withoutEscapes(text: string): string {
  return text.replaceAll(/\\u([0-9a-f]{4})/gi, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

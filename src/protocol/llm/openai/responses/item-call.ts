import { holdsCallWords, readArguments } from '../../calls.ts';
import type { ModelCall } from '../../dialect.ts';
import { hasVariantKey, isObject, type JsonObject, knownKeys, textOf } from '../../json-object.ts';
import { WRAPPER } from '../chat/open-call.ts';
import { callKindOf } from './call-kinds.ts';

/** The keys of items that are read. */
const KEYS = knownKeys([
  'type',
  'id',
  'call_id',
  'name',
  'namespace',
  'arguments',
  'input',
  'action',
  'actions',
  'operation',
  'command',
  'commands',
  'path',
  'diff',
  'code',
  'server_label',
  'environment',
  'execution',
  'approval_request_id',
  'content',
  'text',
]);

/** Members of a call that are no arguments: what identifies it, and what has become of it. */
const NOT_ARGUMENTS: ReadonlySet<string> = new Set([
  'acknowledged_safety_checks',
  'agent',
  'call_id',
  'caller',
  'created_by',
  'error',
  'fingerprint',
  'id',
  'output',
  'outputs',
  'result',
  'results',
  'status',
  'svg_usage',
  'type',
]);

/** Members of a call that are no arguments and are read separately. */
const READ: ReadonlySet<string> = new Set([
  ...NOT_ARGUMENTS,
  'approval_request_id',
  'async',
  'environment',
  'execution',
  'name',
  'namespace',
  'server_label',
]);

/** Tells whether an item has a key that only some readers take for another, or `__proto__`, which gives it hidden members. */
export function hasDoubtfulKey(item: JsonObject): boolean {
  const inner = [item, item['action'], item['operation']].filter(isObject);
  return inner.some((each) => Object.hasOwn(each, '__proto__') || hasVariantKey(each, KEYS));
}

/**
 * Reads the call in an item of an answer, by its type alone.
 *
 * @param item one of a known type
 * @param source its JSON text
 * @param answer id of the answer, or of the conversation that contains it
 * @returns undefined if it is not a call; `unreadable` if readers may differ on what it calls
 */
export function readItemCall(
  item: JsonObject,
  source: () => string,
  answer: string | undefined,
): ModelCall | 'unreadable' | undefined {
  const named = readNamedCall(item, answer);
  if (named === undefined || named === 'unreadable') return named;
  const kind = callKindOf(item['type']);
  const read = argumentsOf(item);
  if (read === undefined) return 'unreadable';
  const call = { ...named, ...read };
  if (named.name === '') return { ...call, problem: 'invalid_json' };
  if (WRAPPER.test(named.name)) return { ...call, problem: 'unclear' };
  const isRestorable = kind?.result !== undefined && named.runBy === 'client' && named.id !== '' && read.problem === undefined;
  return isRestorable ? { ...call, inHistory: source } : call;
}

/** The same without arguments, as when the item begins: its name may still be missing. */
export function readNamedCall(item: JsonObject, answer: string | undefined): ModelCall | 'unreadable' | undefined {
  const kind = callKindOf(item['type']);
  if (kind === undefined) return undefined;
  const { id = null, call_id: callId = null, name = null, namespace = null, server_label: server = null } = item;
  if (![id, callId, name, namespace, server].every((each) => each === null || typeof each === 'string')) return 'unreadable';
  const others = Object.fromEntries(Object.entries(item).filter(([key]) => !READ.has(key) && key !== kind.args?.key));
  // Clients may take a call within a call.
  if (hasDoubtfulKey(item) || (kind.args !== undefined && holdsCallWords(others))) return 'unreadable';
  return {
    id: textOf(callId) || textOf(item['type'] === 'function_call' || item['type'] === 'custom_tool_call' ? '' : id),
    name: kind.tool ?? textOf(name),
    group: textOf(namespace) || undefined,
    args: undefined,
    problem: undefined,
    runBy: typeof kind.runBy === 'function' ? kind.runBy(item) : kind.runBy,
    server: kind.tool === undefined ? textOf(server) || undefined : undefined,
    answer,
  };
}

/** Returns the arguments as JSON text; undefined if they can't be read. */
function argumentsOf(item: JsonObject): (Pick<ModelCall, 'problem'> & { readonly args: string }) | undefined {
  const place = callKindOf(item['type'])?.args;
  if (place === undefined) {
    const members = Object.entries(item).filter(([key]) => !NOT_ARGUMENTS.has(key));
    return readArguments(JSON.stringify(unwrapped(Object.fromEntries(members))));
  }
  const value = item[place.key] ?? (place.as === 'value' ? {} : '');
  if (place.as === 'value') return isObject(value) ? readArguments(JSON.stringify(value)) : undefined;
  if (typeof value !== 'string') return undefined;
  // The input of a custom tool counts as the argument `input`.
  return readArguments(place.as === 'words' ? JSON.stringify({ input: value }) : value);
}

/** Puts the only action of a computer's call beside the other arguments, so that rules need not know whether it came in a list. */
function unwrapped({ action, actions, ...others }: JsonObject): JsonObject {
  const listed: readonly unknown[] = Array.isArray(actions) ? actions : [];
  const [first] = listed;
  if (isObject(action) && listed.length === 0) return { ...others, ...action };
  if (action === undefined && listed.length === 1 && isObject(first)) return { ...others, ...first };
  return { ...others, ...(action === undefined ? {} : { action }), ...(actions === undefined ? {} : { actions }) };
}

/** Members that change while an item is made; some gateways give it another id in each event. */
const CHANGING: ReadonlySet<string> = new Set(['id', 'status', 'encrypted_content']);

/** Members that show which call it is. */
const IDENTIFYING: ReadonlySet<string> = new Set([
  'type',
  'call_id',
  'name',
  'namespace',
  'server_label',
  'environment',
  'execution',
]);

/**
 * Compares two states of an item, as some clients read the first and some the last.
 *
 * @param begun an earlier state, whose texts and lists may still be empty
 * @returns the problem if they are not the same call
 */
export function findDifference(begun: JsonObject, done: JsonObject): ModelCall['problem'] {
  const different = Object.entries(begun).filter(([key, value]) => !CHANGING.has(key) && !isBeginningOf(value, done[key]));
  if (different.length === 0) return undefined;
  return different.some(([key]) => IDENTIFYING.has(key)) ? 'unclear' : 'invalid_json';
}

function isBeginningOf(begun: unknown, done: unknown): boolean {
  if (begun === null || begun === undefined || begun === '') return true;
  if (Array.isArray(begun)) return begun.length === 0 || JSON.stringify(begun) === JSON.stringify(done);
  if (!isObject(begun)) return begun === done;
  const entries = Object.entries(begun);
  return entries.length === 0 || (isObject(done) && entries.every(([key, value]) => isBeginningOf(value, done[key])));
}

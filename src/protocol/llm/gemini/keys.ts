import { foldKey } from '../../json-key.ts';
import { holdsCallWords } from '../calls.ts';
import type { JsonObject } from '../json-object.ts';
import { membersOf, type TextSpan } from '../json-text.ts';

/** Maps the types of calls in answers to the names of their tools in requests. */
const BY_TYPE: ReadonlyMap<string, string> = new Map([
  ['GOOGLE_SEARCH_WEB', 'googleSearch'],
  ['GOOGLE_SEARCH_IMAGE', 'googleSearch'],
  ['URL_CONTEXT', 'urlContext'],
  ['GOOGLE_MAPS', 'googleMaps'],
  ['FILE_SEARCH', 'fileSearch'],
]);

/** The key of functions that the client runs. */
export const FUNCTIONS = 'functionDeclarations';
export const MCP_SERVERS = 'mcpServers';
/** Types of tools whose calls the client runs. */
const RUN_BY_CLIENT = new Set(['function', 'computerUse']);

/** Keys that decide the meaning of a request or an answer, as the API writes them. It also accepts each with underscores. */
const NAMES = [
  'args',
  'boolValue',
  'candidates',
  'codeExecutionResult',
  'computerUse',
  'content',
  'contents',
  'error',
  'executableCode',
  'finishReason',
  'functionCall',
  'functionDeclarations',
  'functionResponse',
  'generateContentRequest',
  'googleSearch',
  'id',
  'index',
  'jsonPath',
  'mcpServers',
  'name',
  'nullValue',
  'numberValue',
  'partialArgs',
  'parts',
  'response',
  'responseId',
  'role',
  'streamableHttpTransport',
  'stringValue',
  'text',
  'thought',
  'thoughtSignature',
  'toolCall',
  'toolResponse',
  'toolType',
  'tools',
  'url',
  'willContinue',
] as const;

/** Maps both spellings to the key. */
const SPELLED: ReadonlyMap<string, string> = new Map(
  NAMES.flatMap((name) => [
    [name, name],
    [toSnake(name), name],
  ]),
);

const FOLDED: ReadonlySet<string> = new Set(NAMES.map(fold));

/** An object's values, by the names of their keys. */
export type Fields = ReadonlyMap<string, unknown>;

/** Returns an object's fields; undefined if only some readers take a key for a known one, or a known one occurs in both spellings. */
export function fieldsOf(object: JsonObject): Fields | undefined {
  return named(Object.entries(object));
}

/** Returns the spans of an object's values by key; undefined as above, or if the span contains no object. @param text valid JSON */
export function fieldSpansOf(text: string, span: TextSpan): ReadonlyMap<string, TextSpan> | undefined {
  const members = membersOf(text, span);
  return members && named(members);
}

/** Tells whether this key, in any spelling, holds a call; future kinds of calls are likely to have similar names. */
export function isCallKey(key: string): boolean {
  const folded = fold(key);
  return /(?:call|tooluse)s?$/.test(folded) || folded === 'executablecode';
}

/** Tells whether a value contains a call, under any spelling, or in another API's words. It accepts any depth, which is not bounded yet. */
export function holdsCall(value: unknown): boolean {
  if (holdsCallWords(value)) return true;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (!Array.isArray(next) && Object.keys(next).some(isCallKey)) return true;
    for (const inner of Object.values(next)) open.push(inner);
  }
  return false;
}

/** Converts a key to the spelling of the API's documentation, with capitals instead of underscores. */
export function toCamel(key: string): string {
  return SPELLED.get(key) ?? key.replaceAll(/_+([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());
}

function named<T>(members: Iterable<readonly [string, T]>): ReadonlyMap<string, T> | undefined {
  const fields = new Map<string, T>();
  for (const [key, value] of members) {
    const name = SPELLED.get(key);
    if (name === undefined && FOLDED.has(fold(key))) return undefined;
    if (fields.has(name ?? key)) return undefined;
    fields.set(name ?? key, value);
  }
  return fields;
}

function toSnake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function fold(key: string): string {
  return foldKey(key).replaceAll('_', '');
}

/** Returns the request's name of a provider's tool. @param type of a call; an unknown one is its own name */
export function providerToolOf(type: string): string {
  return BY_TYPE.get(type) ?? type;
}

/** Tells whether the provider itself runs this tool of a request. */
export function isProviderTool({ type }: { readonly type: string }): boolean {
  return !RUN_BY_CLIENT.has(type);
}

import { foldKey } from '../../json-key.ts';
import { holdsCallWords } from '../calls.ts';
import type { JsonObject } from '../json-object.ts';
import { membersOf, type TextSpan } from '../json-text.ts';

/** What kinds of calls belong to, by the names that the API gives them in answers. */
const BY_TYPE: ReadonlyMap<string, string> = new Map([
  ['GOOGLE_SEARCH_WEB', 'googleSearch'],
  ['GOOGLE_SEARCH_IMAGE', 'googleSearch'],
  ['URL_CONTEXT', 'urlContext'],
  ['GOOGLE_MAPS', 'googleMaps'],
  ['FILE_SEARCH', 'fileSearch'],
]);

/** Declares functions that the client runs. */
export const FUNCTIONS = 'functionDeclarations';
export const MCP_SERVERS = 'mcpServers';
/** Has the client run functions that the provider has declared. */
const RUN_BY_CLIENT = new Set(['function', 'computerUse']);

/** Keys that decide what a request or an answer means, as the API writes them. It reads each with underscores as well. */
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

/** By each of the two ways to write it. */
const SPELLED: ReadonlyMap<string, string> = new Map(
  NAMES.flatMap((name) => [
    [name, name],
    [toSnake(name), name],
  ]),
);

const FOLDED: ReadonlySet<string> = new Set(NAMES.map(fold));

/** An object's values, by the names of their keys. */
export type Fields = ReadonlyMap<string, unknown>;

/** Undefined where only some readers take a key for a known one, or a known one is there in both spellings. */
export function fieldsOf(object: JsonObject): Fields | undefined {
  return named(Object.entries(object));
}

/** Where the values of an object lie, by the names of their keys; undefined as above, or where the span holds no object. @param text valid JSON */
export function fieldSpansOf(text: string, span: TextSpan): ReadonlyMap<string, TextSpan> | undefined {
  const members = membersOf(text, span);
  return members && named(members);
}

/** Is a call under this key, in whatever spelling? Calls of a kind that is not known yet will be called like the known ones. */
export function isCallKey(key: string): boolean {
  const folded = fold(key);
  return /(?:call|tooluse)s?$/.test(folded) || folded === 'executablecode';
}

/** Is there a call anywhere in a value, under whatever spelling, or in the words of another API? However deep it is nested: that is not known to be within bounds yet. */
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

/** A key as the API's own documents write it: with capitals instead of underscores. */
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

/** A tool of the provider's by the name that a request has for it. @param type of a call; one that is not known is a name of its own */
export function providerToolOf(type: string): string {
  return BY_TYPE.get(type) ?? type;
}

/** Does the provider run this tool of a request itself? */
export function isProviderTool({ type }: { readonly type: string }): boolean {
  return !RUN_BY_CLIENT.has(type);
}

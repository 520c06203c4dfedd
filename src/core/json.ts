import { remember } from './remember.ts';

/**
 * A JSON number whose text does not survive a trip through a double (`9007199254740993`, `1.0`, `1e400`). It is kept as sent, so that a
 * rule compares the number that the server will read and not JavaScript's rounded one.
 */
export class ExactNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** A parsed JSON value; numbers are plain if their text is canonical and `ExactNumber` otherwise. */
export type JsonValue = null | boolean | string | number | ExactNumber | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Tells whether a value is a JSON object (not an array, not a number kept as text). */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}

/** Tells whether a value has more than `most` values within it. Stops counting there. @param value of a depth that `parseJson` allows */
export function hasMoreValues(value: JsonValue, most: number): boolean {
  let left = most;
  const count = (node: JsonValue): boolean => {
    if (typeof node !== 'object' || node === null || node instanceof ExactNumber) return false;
    const inner: readonly JsonValue[] = isJsonObject(node) ? Object.values(node) : node;
    left -= inner.length;
    return left < 0 || inner.some(count);
  };
  return count(value);
}

/** Tells whether a text begins like a JSON object or array. */
export function isContainer(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

/** Parses a text that is a JSON object or array; undefined for all others. */
export function parseContainer(text: string): JsonValue | undefined {
  if (!isContainer(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    // Prose that begins with a bracket, code or a glob is a text like any other.
    return undefined;
  }
}

/**
 * Matches a text in which a number could change on a trip through a double. Integers of up to 15 digits cannot; a longer run of digits, a
 * fraction, an exponent and `-0` may. It only looks where a number can stand, since texts are full of versions and ends of sentences. A
 * false match costs only time.
 */
const MAY_CHANGE = /(?:^|[[:,])\s*(?:-?(?:\d{16}|\d{1,15}[.eE])|-0(?!\d))/;

/**
 * Parses JSON text and keeps every number as sent: plain if JavaScript would print the same text, an `ExactNumber` otherwise. Throws the
 * SyntaxError of `JSON.parse`; the last value of a duplicate key stays; `__proto__` is an ordinary key.
 */
export function parseJson(text: string): JsonValue {
  if (!MAY_CHANGE.test(text)) return JSON.parse(text) as JsonValue;
  return JSON.parse(text, (_key, value: JsonValue, context?: { readonly source?: string }) => {
    if (typeof value !== 'number' || context?.source === undefined || String(value) === context.source) return value;
    return new ExactNumber(context.source);
  }) as JsonValue;
}

/**
 * The canonical JSON text of a value: no white space, members ordered by their names' UTF-16 code units, strings and numbers as ECMAScript
 * prints them, half of a surrogate pair as `\udxxx` (RFC 8785).
 *
 * Two texts that a server could tell apart never become one: a number that a double can't hold, or that was spelled in another way, keeps
 * its original spelling, where the RFC would round it.
 *
 * @param numberText gives the text of a number that is kept as it was sent, instead of its spelling
 */
export function canonicalJson(value: JsonValue, numberText: (source: string) => string = asSent): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof ExactNumber) return numberText(value.source);
  if (!isJsonObject(value)) return canonicalList(value as readonly JsonValue[], numberText);
  // The default order is that of UTF-16 code units.
  const names = Object.keys(value).sort();
  let text = '{';
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index] ?? '';
    text += index === 0 ? memberName(name) : `,${memberName(name)}`;
    text += canonicalJson(value[name] ?? null, numberText);
  }
  return `${text}}`;
}

function canonicalList(list: readonly JsonValue[], numberText: (source: string) => string): string {
  let text = '[';
  for (let index = 0; index < list.length; index += 1) {
    if (index > 0) text += ',';
    text += canonicalJson(list[index] ?? null, numberText);
  }
  return `${text}]`;
}

/** Characters from which canonical text is given in pieces. */
const LONG = 64 * 1024;

/**
 * Gives the text of `canonicalJson` in pieces: as one text, a value of megabytes would be copied several times.
 *
 * @param visit called with each piece, in order; each is well-formed if the whole is
 */
export function visitCanonicalJson(
  value: JsonValue,
  visit: (piece: string) => void,
  numberText?: (source: string) => string,
): void {
  let text = '';
  const add = (piece: string): void => {
    text += piece;
    if (text.length < LONG) return;
    visit(text);
    text = '';
  };
  const walk = (node: JsonValue): void => {
    if (typeof node === 'string' && node.length > LONG) return addLong(node, add);
    if (typeof node !== 'object' || node === null || node instanceof ExactNumber) return add(canonicalJson(node, numberText));
    const isList = !isJsonObject(node);
    const inner: readonly (string | number)[] = isList ? Array.from(node.keys()) : Object.keys(node).sort();
    add(isList ? '[' : '{');
    for (const [at, key] of inner.entries()) {
      if (at > 0) add(',');
      if (typeof key === 'string') add(memberName(key));
      walk((node as Readonly<Record<string | number, JsonValue>>)[key] ?? null);
    }
    add(isList ? ']' : '}');
  };
  walk(value);
  visit(text);
}

function addLong(string: string, add: (piece: string) => void): void {
  add('"');
  for (const piece of cutIntoPieces(string, LONG)) add(JSON.stringify(piece).slice(1, -1));
  add('"');
}

/** Cuts a text into pieces of `most` characters, or one more: none ends within a surrogate pair. */
export function* cutIntoPieces(text: string, most: number): Generator<string, void> {
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + most, text.length);
    if (end < text.length && isSurrogate(text, end - 1, 0xd800) && isSurrogate(text, end, 0xdc00)) end += 1;
    yield text.slice(start, end);
    start = end;
  }
}

function isSurrogate(text: string, at: number, half: 0xd800 | 0xdc00): boolean {
  return (text.charCodeAt(at) & 0xfc00) === half;
}

/** A member's name as JSON has it, with the colon. Each definition of a list has the same few. */
const memberName = remember((name) => `${JSON.stringify(name)}:`, { most: 512, longest: 64 });

/** The JSON text of a value, members in the order and numbers in the spelling in which they were sent. */
export function exactJson(value: JsonValue): string {
  if (value instanceof ExactNumber) return value.source;
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(exactJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${exactJson(member)}`);
  return `{${members.join(',')}}`;
}

function asSent(source: string): string {
  return source;
}

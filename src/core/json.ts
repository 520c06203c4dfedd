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

/**
 * A JSON number whose text does not survive a trip through a double (`9007199254740993`, `1.0`, `1e400`).
 * It is kept as sent, so that a rule compares what the server will read and not what JavaScript rounds it to.
 */
export class ExactNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** A parsed JSON value; numbers are plain where their text is canonical and `ExactNumber` elsewhere. */
export type JsonValue = null | boolean | string | number | ExactNumber | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Is this value a JSON object (not an array, not a number kept as text)? */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}

/** Does a text begin as a JSON object or array does? */
export function isContainer(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

/** The JSON object or array that a text is; undefined for all others. */
export function parseContainer(text: string): JsonValue | undefined {
  if (!isContainer(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    // Prose that begins with a bracket, code, a glob: a text like any other.
    return undefined;
  }
}

/**
 * Could a number in this text look different after a trip through a double? Integers of up to 15 digits cannot; a longer run of digits, a
 * fraction, an exponent and `-0` may. Only what stands where a number can is looked at: texts are full of versions and ends of sentences. That
 * some of them have the like of it costs no more than time.
 */
const MAY_CHANGE = /(?:^|[[:,])\s*(?:-?(?:\d{16}|\d{1,15}[.eE])|-0(?!\d))/;

/**
 * Parses JSON text and keeps every number as sent: plain where JavaScript would print the same text, an `ExactNumber`
 * elsewhere. Throws the SyntaxError of `JSON.parse`; of a duplicate key the last value stays; `__proto__` is an ordinary key.
 */
export function parseJson(text: string): JsonValue {
  if (!MAY_CHANGE.test(text)) return JSON.parse(text) as JsonValue;
  return JSON.parse(text, (_key, value: JsonValue, context?: { readonly source?: string }) => {
    if (typeof value !== 'number' || context?.source === undefined || String(value) === context.source) return value;
    return new ExactNumber(context.source);
  }) as JsonValue;
}

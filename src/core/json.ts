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

/** An object of JSON, of which nothing is known yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects in a list; none where it is no list. */
export function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The text that a value is; empty where it is none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

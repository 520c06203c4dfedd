import { foldKey } from '../json-key.ts';

/** Matches lower-case keys, which are never variants of known ones. */
const LOWER_CASE = /^[a-z_]*$/;

/** Keys that decide the meaning of an object, by their folded forms. */
type KnownKeys = ReadonlyMap<string, string>;

/** A JSON object whose members are unknown. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the objects in a list; none if it is not a list. */
export function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Returns the value if it is a text, else the empty text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function knownKeys(keys: readonly string[]): KnownKeys {
  return new Map(keys.map((key) => [foldKey(key), key]));
}

/** Tells whether there is a key that only some readers take for a known one, e.g. in another case, or with a NUL after it. */
export function hasVariantKey(object: Readonly<Record<string, unknown>>, known: KnownKeys): boolean {
  return Object.keys(object).some((key) => {
    if (LOWER_CASE.test(key)) return false;
    const exact = known.get(foldKey(key));
    return exact !== undefined && exact !== key;
  });
}

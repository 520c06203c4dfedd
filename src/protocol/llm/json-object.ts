import { foldKey } from '../json-key.ts';

/** What no such key can be: keys of one case are no variants of each other. */
const LOWER_CASE = /^[a-z_]*$/;

/** Keys that decide what an object means, by their folded forms. */
type KnownKeys = ReadonlyMap<string, string>;

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

export function knownKeys(keys: readonly string[]): KnownKeys {
  return new Map(keys.map((key) => [foldKey(key), key]));
}

/** Has it a key that only some readers take for a known one: in other letters, or with a NUL behind it? */
export function hasVariantKey(object: Readonly<Record<string, unknown>>, known: KnownKeys): boolean {
  return Object.keys(object).some((key) => {
    if (LOWER_CASE.test(key)) return false;
    const exact = known.get(foldKey(key));
    return exact !== undefined && exact !== key;
  });
}

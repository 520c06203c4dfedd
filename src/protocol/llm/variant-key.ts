import { foldKey } from '../json-key.ts';

/** What no such key can be: keys of one case are no variants of each other. */
const LOWER_CASE = /^[a-z_]*$/;

/** Keys that decide what an object means, by their folded forms. */
export type KnownKeys = ReadonlyMap<string, string>;

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

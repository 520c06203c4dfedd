import { ExactNumber, isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { suggestName } from '../suggest.ts';
import { escapePointer } from './json-places.ts';

/** Ends the reading of a fixture: what is wrong, and at which JSON Pointer. */
export type Fail = (pointer: string, message: string, hint?: string) => never;

/** Where a fixture stands. */
export interface Origin {
  readonly file: string;
  readonly pointer: string;
  readonly name: string;
  readonly fail: Fail;
}

/** `did you mean "server"?`, or undefined where nothing is near. */
export function didYouMean(word: string, known: readonly string[]): string | undefined {
  const meant = suggestName(word, known);
  return meant === undefined ? undefined : `did you mean "${meant}"?`;
}

/** Refuses a key that means nothing here: ignoring one would let a test pass that tested nothing. */
export function checkKeys(
  value: JsonObject,
  { known, what, elsewhere }: { known: readonly string[]; what: string; elsewhere?: (key: string) => string | undefined },
  { pointer, fail }: Pick<Origin, 'pointer' | 'fail'>,
): void {
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const hint = elsewhere?.(key) ?? didYouMean(key, known) ?? `${what} has ${known.join(', ')}`;
    fail(`${pointer}/${escapePointer(key)}`, `unknown key ${JSON.stringify(key)}`, hint);
  }
}

/** `"a", "b"` */
export function listed(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(', ');
}

/** A value for people: short ones as they are, others by their kind. */
export function describe(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (isJsonObject(value)) return 'an object';
  if (value instanceof ExactNumber) return value.source;
  const text = JSON.stringify(value);
  return text.length > 40 ? `a ${typeof value}` : text;
}

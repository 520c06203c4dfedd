import { ExactNumber, isJsonObject, type JsonValue } from '../json.ts';

/** Number of values up to which they are compared one by one. */
const FEW = 8;

/** Values and keys, each once. */
export interface Distinct {
  readonly values: JsonValue[];
  readonly keys: string[];
  /** Scalars that `values` has, from the second on; of a million equal ones, one is enough to look at. */
  seen: Set<JsonValue> | undefined;
  seenKeys: Set<string> | undefined;
}

/** Adds a value, if that is no scalar that is there already. */
export function addValue(walk: Distinct, value: JsonValue): void {
  const { values } = walk;
  // Most arguments have a few values, for which a set would cost more than all else.
  if (!isJsonObject(value) && values.length > 0) {
    if (walk.seen === undefined && values.length <= FEW) {
      if (values.some((known) => isSameScalar(known, value))) return;
    } else {
      const seen = (walk.seen ??= new Set(values.filter((known) => !isJsonObject(known)).map(toSeen)));
      const { size } = seen;
      if (seen.add(toSeen(value)).size === size) return;
    }
  }
  values.push(value);
}

/** Adds a key that is not there yet. */
export function addKey(walk: Distinct, key: string): void {
  const { keys } = walk;
  if (walk.seenKeys === undefined && keys.length <= FEW) {
    if (!keys.includes(key)) keys.push(key);
    return;
  }
  const seen = (walk.seenKeys ??= new Set(keys));
  const { size } = seen;
  if (seen.add(key).size > size) keys.push(key);
}

/** Tells whether two values are one scalar. Numbers beyond a double are told apart by how they are written. */
export function isSameScalar(a: JsonValue, b: JsonValue): boolean {
  if (a instanceof ExactNumber) return b instanceof ExactNumber && a.source === b.source;
  return a === b;
}

/** A set key that is equal for equal scalars. */
function toSeen(value: JsonValue): JsonValue {
  if (typeof value === 'string') return `text ${value}`;
  return value instanceof ExactNumber ? `number ${value.source}` : value;
}

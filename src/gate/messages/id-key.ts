import type { Span } from '../../protocol/message.ts';
import { ZERO, NINE } from '../../protocol/json-bytes.ts';

/** The key of an id: a safe integer itself, anything else as text. */
export type IdKey = number | string;

/** Integers of so many digits are safe in a double. */
const SAFE_DIGITS = 15;

/**
 * Makes the key of an id. Two ids are the same if their JSON values are: `1` and `1.0`, `"a"` and `"\u0061"`, but not `1` and `"1"`.
 * Integers that a double can't hold keep their text.
 *
 * @param text a JSON string or number
 */
export function idKey(text: string): IdKey {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'number') return JSON.stringify(value);
  if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
  return /^-?\d+$/.test(text) ? text : String(value);
}

/** Key of the id in a part of a message, the same as that of its text; plain integers need no text. */
export function spanKey(bytes: Buffer, span: Span): IdKey {
  return plainInteger(bytes, span) ?? idKey(bytes.toString('utf8', span.start, span.end));
}

/** The spelling of an id if it differs from its key; answers have to spell it the same way. */
export function spellingOf(bytes: Buffer, span: Span, key: IdKey): string | undefined {
  if (plainInteger(bytes, span) !== undefined) return undefined;
  const text = bytes.toString('utf8', span.start, span.end);
  return text === key ? undefined : text;
}

/** The integer in a part of a message if it is in JSON's plain form; undefined for all else, and for big ones. */
export function plainInteger(bytes: Buffer, { start, end }: Span): number | undefined {
  const length = end - start;
  if (length > SAFE_DIGITS || (length > 1 && bytes[start] === ZERO)) return undefined;
  let value = 0;
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte < ZERO || byte > NINE) return undefined;
    value = value * 10 + (byte - ZERO);
  }
  return value;
}

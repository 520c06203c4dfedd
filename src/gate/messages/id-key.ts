import type { Span } from '../../protocol/message.ts';
import { ZERO, NINE } from '../../protocol/json-bytes.ts';

/** What an id is remembered by: a safe integer itself, anything else as text. */
export type IdKey = number | string;

/** Integers of so many digits are safe in a double. */
const SAFE_DIGITS = 15;

/**
 * Key of an id. Two ids are one when their JSON values are: `1` and `1.0`, `"a"` and `"\u0061"`, but not `1` and `"1"`. Integers
 * that a double can't hold stay apart by their text.
 *
 * @param text a JSON string or number
 */
export function idKey(text: string): IdKey {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'number') return JSON.stringify(value);
  if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
  return /^-?\d+$/.test(text) ? text : String(value);
}

/** Key of the id in a part of a message, the same as that of its text; ids that clients count up cost no text. */
export function spanKey(bytes: Buffer, span: Span): IdKey {
  return plainInteger(bytes, span) ?? idKey(bytes.toString('utf8', span.start, span.end));
}

/** How an id was spelt, where that is not what its key says; answers have to spell it the same way. */
export function spellingOf(bytes: Buffer, span: Span, key: IdKey): string | undefined {
  if (plainInteger(bytes, span) !== undefined) return undefined;
  const text = bytes.toString('utf8', span.start, span.end);
  return text === key ? undefined : text;
}

/** The integer that a part of a message spells in the one way that integers have in JSON; undefined for all else, and for big ones. */
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

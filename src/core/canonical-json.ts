import { ExactNumber, isJsonObject, type JsonValue } from './json.ts';

/**
 * The canonical JSON text of a value: no white space, members ordered by their names' UTF-16 code units, strings and numbers as
 * ECMAScript prints them (RFC 8785).
 *
 * Two texts that a server could tell apart never become one: a number that a double can't hold, or that was spelled in another way,
 * keeps the spelling it came with, where the RFC would round it.
 */
export function canonicalJson(value: JsonValue): string {
  if (value instanceof ExactNumber) return value.source;
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}

/** The JSON text of a value, members in the order and numbers in the spelling in which they were sent. */
export function exactJson(value: JsonValue): string {
  if (value instanceof ExactNumber) return value.source;
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(exactJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${exactJson(member)}`);
  return `{${members.join(',')}}`;
}

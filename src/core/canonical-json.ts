import { ExactNumber, isJsonObject, type JsonValue } from './json.ts';

/**
 * The canonical JSON text of a value: no white space, members ordered by their names' UTF-16 code units, strings and numbers as
 * ECMAScript prints them, half of a surrogate pair as `\udxxx` (RFC 8785).
 *
 * Two texts that a server could tell apart never become one: a number that a double can't hold, or that was spelled in another way,
 * keeps the spelling it came with, where the RFC would round it.
 *
 * @param numberText what is written for a number that is kept as it was sent, instead of its spelling
 */
export function canonicalJson(value: JsonValue, numberText: (source: string) => string = asSent): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof ExactNumber) return numberText(value.source);
  let text = '';
  if (!isJsonObject(value)) {
    for (const item of value as readonly JsonValue[]) text += `${text === '' ? '' : ','}${canonicalJson(item, numberText)}`;
    return `[${text}]`;
  }
  // Without a comparator, that is the order of UTF-16 code units.
  for (const name of Object.keys(value).toSorted()) {
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(value[name] ?? null, numberText)}`;
  }
  return `{${text}}`;
}

/** The JSON text of a value, members in the order and numbers in the spelling in which they were sent. */
export function exactJson(value: JsonValue): string {
  if (value instanceof ExactNumber) return value.source;
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(exactJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${exactJson(member)}`);
  return `{${members.join(',')}}`;
}

function asSent(source: string): string {
  return source;
}

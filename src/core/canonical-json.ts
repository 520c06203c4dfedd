import { ExactNumber, isJsonObject, type JsonValue } from './json.ts';
import { remember } from './remember.ts';

/**
 * The canonical JSON text of a value: no white space, members ordered by their names' UTF-16 code units, strings and numbers as ECMAScript
 * prints them, half of a surrogate pair as `\udxxx` (RFC 8785).
 *
 * Two texts that a server could tell apart never become one: a number that a double can't hold, or that was spelled in another way, keeps
 * its original spelling, where the RFC would round it.
 *
 * @param numberText gives the text of a number that is kept as it was sent, instead of its spelling
 */
export function canonicalJson(value: JsonValue, numberText: (source: string) => string = asSent): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof ExactNumber) return numberText(value.source);
  if (!isJsonObject(value)) return canonicalList(value as readonly JsonValue[], numberText);
  // The default order is that of UTF-16 code units.
  const names = Object.keys(value).sort();
  let text = '{';
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index] ?? '';
    text += index === 0 ? memberName(name) : `,${memberName(name)}`;
    text += canonicalJson(value[name] ?? null, numberText);
  }
  return `${text}}`;
}

function canonicalList(list: readonly JsonValue[], numberText: (source: string) => string): string {
  let text = '[';
  for (let index = 0; index < list.length; index += 1) {
    if (index > 0) text += ',';
    text += canonicalJson(list[index] ?? null, numberText);
  }
  return `${text}]`;
}

/** A member's name as JSON has it, with the colon. Each definition of a list has the same few. */
const memberName = remember((name) => `${JSON.stringify(name)}:`, { most: 512, longest: 64 });

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

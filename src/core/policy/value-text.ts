import { ExactNumber, type JsonValue } from '../json.ts';
import { formatNumeral, parseNumeral, type Numeral } from './numeral.ts';

/** A scalar as text: strings as they are, anything else as canonical JSON. Undefined for objects and arrays. */
export function toText(value: JsonValue): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return Object.is(value, -0) ? '0' : String(value);
  if (typeof value === 'boolean' || value === null) return String(value);
  if (!(value instanceof ExactNumber)) return undefined;
  const numeral = parseNumeral(value.source);
  return numeral === undefined ? value.source : formatNumeral(numeral);
}

/** A number's text as it was sent, where that is not its canonical text. */
export function toSentText(value: JsonValue): string | undefined {
  return value instanceof ExactNumber ? value.source : undefined;
}

/** A JSON number, exact. */
export function toNumeral(value: JsonValue): Numeral | undefined {
  if (typeof value === 'number') return parseNumeral(String(value));
  return value instanceof ExactNumber ? parseNumeral(value.source) : undefined;
}

/** The number that a lenient server may read in a text: spaces around it and a plus sign do not matter. */
export function readNumeral(text: string): Numeral | undefined {
  // Longer texts are read as numbers by nobody, and trimming them would cost.
  return text.length > 4096 ? undefined : parseNumeral(text.trim().replace(/^\+/, ''));
}

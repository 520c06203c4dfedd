import { ExactNumber, isJsonObject, type JsonValue } from '../../../core/json.ts';
import { countOf } from '../../terminal/count-of.ts';
import { printable } from '../../terminal/printable.ts';

/** Characters of a text that are shown: its beginning, and its end. Arguments may hold secrets, and nobody reads a megabyte. */
const MOST_HEAD = 60;
const MOST_TAIL = 20;

/** A value for people, cut where it is long; what could steer a terminal is replaced. */
export function showValue(value: JsonValue): string {
  if (typeof value === 'string') return showText(value);
  if (value instanceof ExactNumber) return showText(value.source, false);
  if (Array.isArray(value)) return 'a list';
  return isJsonObject(value) ? `an object with ${countOf(Object.keys(value).length, 'member')}` : String(value);
}

/** A text in quotes, or as it is. */
export function showText(text: string, isQuoted = true): string {
  const cut = cutText(text);
  const shown = isQuoted ? JSON.stringify(cut.text) : cut.text;
  return `${printable(shown)}${cut.isCut ? ` (${text.length} characters)` : ''}`;
}

function cutText(text: string): { readonly text: string; readonly isCut: boolean } {
  if (text.length <= MOST_HEAD + MOST_TAIL + 1) return { text, isCut: false };
  return { text: `${text.slice(0, MOST_HEAD)}…${text.slice(-MOST_TAIL)}`.toWellFormed(), isCut: true };
}

import { homedir } from 'node:os';
import { sep } from 'node:path';

/**
 * Text from a file or a message that others may have written, made safe for a terminal: control and format characters
 * (line ends too) become U+FFFD, so nothing in it steers the terminal or looks like a line of ours.
 */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '\uFFFD');
}

/**
 * Everything that a terminal shows as nothing, as something else, or in another place: controls, format characters (bidi overrides),
 * line and paragraph separators, white space other than a space, what is not assigned, private or half of a pair, fillers and other
 * characters without a shape, and marks that are on no letter or are too many.
 */
const UNSEEN =
  /[\p{C}\p{Zl}\p{Zp}\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\u2800\p{Default_Ignorable_Code_Point}]|(?<!\p{L}\p{M}{0,2})\p{M}/gu;

/** The same for a person who decides by what stands there: such a character becomes its number (`\u{202E}`), so that nothing hides. */
export function visible(text: string): string {
  return text.replaceAll(UNSEEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`);
}

/** JSON text for a terminal: what could steer that is escaped, as JSON may. */
export function escapeUnprintable(json: string): string {
  return json.replaceAll(/[\p{Cc}\p{Cf}]/gu, escapeCharacter);
}

/** JSON in several lines, for programs and for terminals. */
export function prettyJson(value: unknown): string {
  // The lines are its layout: within a string, JSON has none.
  return `${JSON.stringify(value, undefined, 2).replaceAll(/[^\P{Cc}\n]|\p{Cf}/gu, escapeCharacter)}\n`;
}

function escapeCharacter(character: string): string {
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** Joins the texts that are not empty. */
export function joinTexts(texts: readonly (string | undefined)[], separator = ', '): string {
  return texts.filter((text) => text !== undefined && text !== '').join(separator);
}

/** A path as people read it: `~` for their home, and nothing in it that could steer a terminal. */
export function shortPath(file: string, home = homedir()): string {
  const isInside = home.length > 1 && file.startsWith(home) && file[home.length] === sep;
  return printable(isInside ? `~${file.slice(home.length)}` : file);
}

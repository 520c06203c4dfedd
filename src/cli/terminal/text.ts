import { homedir } from 'node:os';
import { sep } from 'node:path';

/** Characters that take two columns of a terminal: those that Unicode's East Asian Width calls wide or fullwidth, and emoji. */
const WIDE =
  /[\u1100-\u115F\u2329\u232A\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{17000}-\u{18AFF}\u{1B000}-\u{1B2FF}\u{1F200}-\u{1F251}\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/u;
const MARK = /\p{Mn}|\p{Me}/u;
/** Most text is this. */
const PLAIN = /^[\x20-\x7E]*$/;

/** The columns of a terminal that a text takes; it holds no control characters (printable.ts). */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** The text, or as much of its beginning as fits with `…` behind it. */
export function cutToWidth(text: string, most: number): string {
  if (text.length <= most && PLAIN.test(text)) return text;
  let width = 0;
  let fitting = 0;
  let length = 0;
  for (const character of text) {
    width += characterWidth(character);
    if (width > most) return `${text.slice(0, fitting)}…`;
    length += character.length;
    if (width < most) fitting = length;
  }
  return text;
}

/** The text with spaces behind it, so that it takes this many columns. */
export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

function characterWidth(character: string): number {
  if (MARK.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/**
 * Breaks a text at spaces into lines no longer than `width` characters, unless one word is: words stay whole, and so does what stands in
 * backquotes where it fits on a line, since people copy it.
 */
export function wrapWords(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of wordsIn(text, width)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

function wordsIn(text: string, width: number): readonly string[] {
  const words: string[] = [];
  let isQuoted = false;
  for (const word of text.split(' ')) {
    const last = words.at(-1);
    const isJoined = isQuoted && last !== undefined && last.length + 1 + word.length <= width;
    if (isJoined) words.splice(-1, 1, `${last} ${word}`);
    else words.push(word);
    if (word.split('`').length % 2 === 0) isQuoted = !isQuoted;
  }
  return words;
}

/**
 * Text from a file or a message that others may have written, made safe for a terminal: control and format characters
 * (line ends too, and U+2028, at which Node's readline ends a line) become U+FFFD, so nothing in it steers the terminal or looks like a line of ours.
 */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD');
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
  return json.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escapeCharacter);
}

/** JSON in several lines, for programs and for terminals. */
export function prettyJson(value: unknown): string {
  // The lines are its layout: within a string, JSON has none.
  return `${JSON.stringify(value, undefined, 2).replaceAll(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/gu, escapeCharacter)}\n`;
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

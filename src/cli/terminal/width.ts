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

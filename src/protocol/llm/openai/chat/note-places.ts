/** Between what a model says and the note behind it, which is part of the same text. */
const SEPARATOR = '\n\n';

/** What a note adds to what has been said. @param hasText something has been */
export function noteBehind(note: string, hasText: boolean): string {
  return hasText ? SEPARATOR + note : note;
}

/** What was said before a note that is taken out again. @param text up to the note */
export function saidBefore(text: string): string {
  return text.endsWith(SEPARATOR) ? text.slice(0, -SEPARATOR.length) : text;
}

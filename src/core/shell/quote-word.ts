/** Quotes a word so that a POSIX shell reads it as one word, and expands nothing in it. */
export function quoteWord(word: string): string {
  return /^[\w./~:@%=,+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

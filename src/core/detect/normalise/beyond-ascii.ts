const RUNS = /[^\x00-\x7f]+/g;

/** The runs of non-ASCII characters in a text, with a space between. Searches for such characters use this, since most texts have few. */
export function beyondAscii(text: string): string {
  return text.match(RUNS)?.join(' ') ?? '';
}

const RUNS = /[^\x00-\x7f]+/g;

/**
 * What of a text is not ASCII: its runs of such characters, with a space between. Searches for something made of nothing else look through this
 * instead, which most texts have little of.
 */
export function beyondAscii(text: string): string {
  return text.match(RUNS)?.join(' ') ?? '';
}

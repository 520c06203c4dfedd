/** Characters on each side of a change in which a secret may stand that only the change shows: a name and its value, or a seed phrase. */
const REACH = 240;

/** Most characters by which a part grows so that it begins with a word, since a secret's beginning may only count there. */
const MOST_WORD = 64;

/**
 * The parts of a text around all matches, one a line: what is found elsewhere is found in the text itself. Takes time in proportion to the
 * text, even if all of it matches.
 *
 * @param pattern global
 * @param counts tells of a match, with the character before it, whether it counts
 * @returns the whole text if that is hardly more; empty without a match
 */
export function partsAround(
  text: string,
  pattern: RegExp,
  { reach = REACH, counts }: { readonly reach?: number; readonly counts?: RegExp } = {},
): string {
  const parts: string[] = [];
  let start = 0;
  let end = -1;
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    if (counts?.test(text.slice(Math.max(0, found.index - 1), pattern.lastIndex)) === false) continue;
    const from = found.index - reach;
    if (from > end) {
      if (end !== -1) parts.push(text.slice(start, end));
      start = startOfWord(text, from);
    }
    // A match within the reach of this one is in the part as well, and need not be looked for.
    end = found.index + found[0].length + 2 * reach;
    pattern.lastIndex += reach;
  }
  if (end === -1) return '';
  if (start === 0 && end >= text.length) return text;
  parts.push(text.slice(start, end));
  return parts.join('\n\n');
}

function startOfWord(text: string, from: number): number {
  let start = Math.max(0, from);
  for (let left = MOST_WORD; left > 0 && start > 0 && isInWord(text.charCodeAt(start - 1)); left -= 1) start -= 1;
  return start;
}

function isInWord(code: number): boolean {
  const letter = code | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f || code === 0x2d;
}

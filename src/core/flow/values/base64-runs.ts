const SIGNS = new Uint8Array(128);
for (const sign of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_') SIGNS[sign.charCodeAt(0)] = 1;

const NEW_LINE = 0x0a;
const PADDING = 0x3d;

/** Signs that a line must have for the run to go on in it. */
const NEXT_LINE = 4;

/** A run of base64's signs. */
export interface Base64Run {
  readonly start: number;
  readonly end: number;
  /** Without padding and line breaks. */
  readonly signs: string;
}

/**
 * Runs of the signs of base64, of both alphabets. A run goes on after the line breaks that mail and PEM have, where its first line is long
 * enough. The work is linear, which it is not where a regular expression with a least length tries each start.
 *
 * @param least signs of its first line
 */
export function base64Runs(text: string, least: number): readonly Base64Run[] {
  const runs: Base64Run[] = [];
  let index = 0;
  while (index < text.length) {
    const start = index;
    // From behind: most texts have words, and of each of these only the end is looked at.
    let other = start + least - 1;
    while (other >= start && isSign(text, other)) other -= 1;
    if (other >= start) {
      index = other + 1;
      continue;
    }
    let end = lineEnd(text, start + least);
    for (;;) {
      const next = nextLine(text, end);
      const nextEnd = next === -1 ? -1 : lineEnd(text, next);
      if (nextEnd - next < NEXT_LINE) break;
      end = nextEnd;
    }
    const run = text.slice(start, end);
    runs.push({ start, end, signs: /[\s=]/.test(run) ? run.replaceAll(/[\s=]/g, '') : run });
    index = end + 1;
  }
  return runs;
}

function lineEnd(text: string, from: number): number {
  let index = from;
  while (index < text.length && isSign(text, index)) index += 1;
  return index;
}

function isSign(text: string, index: number): boolean {
  return SIGNS[text.charCodeAt(index)] === 1;
}

/** Where the next line starts, if nothing but padding and blanks is between; -1 elsewhere. */
function nextLine(text: string, end: number): number {
  let index = end;
  while (index - end < 2 && text.charCodeAt(index) === PADDING) index += 1;
  if (text.charCodeAt(index) === 0x0d) index += 1;
  if (text.charCodeAt(index) !== NEW_LINE) return -1;
  index += 1;
  while (index - end < 12 && text.charCodeAt(index) === 0x20) index += 1;
  return index;
}

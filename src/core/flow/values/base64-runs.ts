/** Least characters of a base64 run that count as a file and not as a key, if they decode to no text. */
const LONG_RUN = 4096;

/** Least characters of a run that begins like a known kind of file. */
const FILE_RUN = 256;

/** Matches the beginning of base64 of common kinds of files: PNG, JPEG, GIF, RIFF (WebP, WAV), PDF, ZIP, gzip. */
const FILE_START = /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|JVBERi|UEsDB|H4sI)/;

/** Characters that are examined to tell the kind of a run. */
const SAMPLE = 1024;

const SIGNS = new Uint8Array(128);
for (const sign of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_') SIGNS[sign.charCodeAt(0)] = 1;

const NEW_LINE = 0x0a;
const PADDING = 0x3d;

/** Least characters of a line for the run to go on in it. */
const NEXT_LINE = 4;

/** A run of base64 characters. */
export interface Base64Run {
  readonly start: number;
  readonly end: number;
  /** Its characters without padding and line breaks. */
  readonly signs: string;
}

/**
 * Finds runs of base64 characters, of both alphabets. A run goes on after the line breaks of mail and PEM, if its first line is long
 * enough. Takes linear time, unlike a regular expression with a minimum length, which tries each start.
 *
 * @param least characters of its first line
 */
export function base64Runs(text: string, least: number): readonly Base64Run[] {
  const runs: Base64Run[] = [];
  let index = 0;
  while (index < text.length) {
    const start = index;
    // Read backwards: most texts have words, and only the end of each is looked at.
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

/** The beginning of the next line, if only padding and blanks are between; otherwise -1. */
function nextLine(text: string, end: number): number {
  let index = end;
  while (index - end < 2 && text.charCodeAt(index) === PADDING) index += 1;
  if (text.charCodeAt(index) === 0x0d) index += 1;
  if (text.charCodeAt(index) !== NEW_LINE) return -1;
  index += 1;
  while (index - end < 12 && text.charCodeAt(index) === 0x20) index += 1;
  return index;
}

/**
 * The text without the binary files that it contains as base64.
 *
 * @returns `isCut` tells whether there was one
 */
export function withoutBinary(text: string): { readonly text: string; readonly isCut: boolean } {
  if (text.length < FILE_RUN) return { text, isCut: false };
  let rest = '';
  let from = 0;
  for (const { start, end, signs } of base64Runs(text, 40)) {
    if (signs.length < FILE_RUN || !isBinary(signs, text.slice(start, end).includes('\n'))) continue;
    rest += `${text.slice(from, start)}\n`;
    from = end;
  }
  return from === 0 ? { text, isCut: false } : { text: rest + text.slice(from), isCut: true };
}

function isBinary(signs: string, isWrapped: boolean): boolean {
  if (FILE_START.test(signs)) return true;
  // Wrapped lines may be a list of keys. A name or a repeated letter may be long, too: base64 uses all its 64 characters in random order.
  if (signs.length < LONG_RUN || isWrapped || new Set(signs.slice(0, SAMPLE)).size < 32) return false;
  const start = Buffer.from(signs.slice(0, SAMPLE), 'base64').toString('latin1');
  return (start.match(/[\x00-\x08\x0e-\x1f\x7f-\x9f]/g)?.length ?? 0) > start.length / 8;
}

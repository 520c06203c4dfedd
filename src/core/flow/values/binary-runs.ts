import { base64Runs } from './base64-runs.ts';

/** Signs of base64 in a row that are a file and no key, where what they decode to is no text. */
const LONG_RUN = 4096;

/** Signs that a run must have where its start says what kind of file it is. */
const FILE_RUN = 256;

/** How the base64 of common kinds of files starts: PNG, JPEG, GIF, RIFF (WebP, WAV), PDF, ZIP, gzip. */
const FILE_START = /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|JVBERi|UEsDB|H4sI)/;

/** Signs looked at to tell what a run is. */
const SAMPLE = 1024;

/**
 * The text without the binary files that are in it as base64.
 *
 * @returns `isCut` says that there was one
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
  // Wrapped lines may be a list of keys. A name or one letter again and again may be long, too: base64 has its 64 signs in no order.
  if (signs.length < LONG_RUN || isWrapped || new Set(signs.slice(0, SAMPLE)).size < 32) return false;
  const start = Buffer.from(signs.slice(0, SAMPLE), 'base64').toString('latin1');
  return (start.match(/[\x00-\x08\x0e-\x1f\x7f-\x9f]/g)?.length ?? 0) > start.length / 8;
}

/** Characters of base64 in a row that are a file and no key, where what they decode to is no text. */
const LONG_RUN = /[\w+/-]{4096,}={0,2}/g;

/** How the base64 of common kinds of files starts: PNG, JPEG, GIF, RIFF (WebP, WAV), PDF, ZIP, gzip. */
const FILE_START = /(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|JVBERi|UEsDB|H4sI)[\w+/-]{240,}={0,2}/g;

/** Bytes looked at to tell whether a file is text. */
const SAMPLE = 256;

/**
 * The text without the binary files in it, and the text of those that are some.
 *
 * @returns `isCut` says that a binary file was left out
 */
export function withoutBinary(text: string): { readonly text: string; readonly isCut: boolean } {
  if (text.length < 240) return { text, isCut: false };
  let isCut = false;
  const drop = (run: string): string => {
    const start = Buffer.from(run.slice(0, (SAMPLE / 3) * 4), 'base64').toString('latin1');
    if (isText(start)) return Buffer.from(run, 'base64').toString('utf8');
    if (isText(run) && !isBase64(run)) return run;
    isCut = true;
    return '\n';
  };
  return { text: text.replace(FILE_START, drop).replace(LONG_RUN, drop), isCut };
}

function isText(sample: string): boolean {
  const strange = sample.match(/[\x00-\x08\x0e-\x1f\x7f-\x9f]/g)?.length ?? 0;
  return strange <= sample.length / 50;
}

/** A name or one letter again and again may be long, too: base64 has its 64 signs in no order. */
function isBase64(run: string): boolean {
  return new Set(run.slice(0, 1024)).size >= 32;
}

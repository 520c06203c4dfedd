import { bytesOf } from '../dlp/scan-text.ts';

const CAPITAL = 1;
const MARK = 2;
const OTHER = 4;
const KINDS = new Uint8Array(256).fill(OTHER);
for (let code = 0x41; code <= 0x5a; code += 1) KINDS[code] = CAPITAL;
for (const sign of '0123456789_-') KINDS[sign.charCodeAt(0)] = MARK;

/** Least characters of a key, with the blanks in it. */
const LEAST = 16;

/**
 * Pieces of a key that stand in one line, put together, one key a line: some keys count only at the start of a word. A piece is a character,
 * capitals, or a word with a digit or a sign of keys.
 */
export function piecesOf(text: string): string {
  const bytes = bytesOf(text);
  const found: string[] = [];
  let run = { start: 0, end: 0, pieces: 0 };
  let start = -1;
  let kinds = 0;
  for (let at = 0; at <= bytes.length; at += 1) {
    const code = bytes[at] ?? LINE_END;
    if (code > 0x20 && code !== 0xa0) {
      if (start === -1) start = at;
      kinds |= KINDS[code] as number;
      continue;
    }
    const isPiece = start !== -1 && (at - start === 1 || kinds === CAPITAL || (kinds & MARK) !== 0);
    if (isPiece) run = { start: run.pieces === 0 ? start : run.start, end: at, pieces: run.pieces + 1 };
    if ((start !== -1 && !isPiece) || code === LINE_END) {
      if (run.pieces > 1 && run.end - run.start >= LEAST) found.push(text.slice(run.start, run.end).replaceAll(/\s+/g, ''));
      run = { start: 0, end: 0, pieces: 0 };
    }
    start = -1;
    kinds = 0;
  }
  return found.join('\n');
}

const LINE_END = 0x0a;

/** A text without blanks: keys in pieces are whole there, and have no beginning or end of a word. */
export function withoutBlanks(text: string): string {
  const bytes = bytesOf(text);
  let length = 0;
  for (let from = 0; from < bytes.length; from += PORTION)
    length = closeUp(bytes, from, Math.min(bytes.length, from + PORTION), length);
  return Buffer.from(bytes.buffer, bytes.byteOffset, length).toString('latin1');
}

const PORTION = 4096;

function closeUp(bytes: Uint8Array, start: number, end: number, to: number): number {
  let length = to;
  for (let at = start; at < end; at += 1) {
    const code = bytes[at] as number;
    if (code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0) continue;
    bytes[length] = code;
    length += 1;
  }
  return length;
}

/** Matches pieces of letters and digits with the same sign between them. */
const SIGNED = /(?<![\w])\w{1,24}([^\w\s])(?:\w{1,24}\1){2,200}\w{1,24}(?!\w)/g;

/** A text without the signs between pieces of what may be a key. */
export function closedUp(text: string): string {
  let result = '';
  let from = 0;
  for (const { 0: pieces, 1: sign = '', index } of text.matchAll(SIGNED)) {
    // Keys have letters and digits; cards are looked for elsewhere.
    if (!/\d/.test(pieces) || !/[A-Za-z]/.test(pieces)) continue;
    result += text.slice(from, index) + pieces.split(sign).join('');
    from = index + pieces.length;
  }
  return from === 0 ? text : result + text.slice(from);
}

import { findInRuns, Runs } from '../runs.ts';
import { bytesAsText, type HiddenText } from './bytes-as-text.ts';
import { decodeDigits } from './decode-digits.ts';

/** Longest run that is decoded, in characters; a longer one is data, whose beginning tells enough. */
const MOST_SIGNS = 65_536;

/** Matches base64 or base64url of at least 12 bytes, also over lines. */
const BASE64 =
  /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,65536}(?:\r?\n[ \t]{0,16}[A-Za-z0-9+/_-]{16,256}){0,256}(?:\r?\n[ \t]{0,16}[A-Za-z0-9+/_-]{1,256}(?=[=\s]|$))?/y;
const BASE64_RUNS = new Runs(/[A-Za-z0-9+/_-]/, 16);
/** Words and paths use the same characters; encoded text mixes several kinds of them. */
const IS_MIXED = /[a-z]/;

/** Matches at least 8 bytes, `\x` or `0x` before each, spaces, commas or colons between them. */
const HEX = /(?<![\dA-Za-z])(?:(?:0x|\\x)?[\da-f]{2}[ ,:]{0,2}){8,16384}/gi;
const HEX_RUNS = new Runs(/[\da-fx\\ ,:]/i, 16);
const HEX_MARKS = /0x|\\x|[ ,:]/gi;

/** Most levels of encoding; no model reads deeper ones. */
const MOST_LEVELS = 3;

/** Decodes texts in base64, hexadecimal digits or other numbers, including nested ones. */
export function decodeEncodings(text: string): HiddenText[] {
  const found = decodeOnce(text);
  let level = found;
  for (let depth = 1; depth < MOST_LEVELS && level.length > 0; depth += 1) {
    level = level.flatMap(({ text: inside, hiding, position }) =>
      decodeOnce(inside).map((inner) => ({ text: inner.text, hiding, position })),
    );
    for (const inner of level) found.push(inner);
  }
  return found;
}

function decodeOnce(text: string): HiddenText[] {
  return decodeBase64(text).concat(decodeHex(text), decodeDigits(text));
}

function decodeBase64(text: string): HiddenText[] {
  const found: HiddenText[] = [];
  let end = 0;
  for (let index = BASE64_RUNS.next(text, 0); index !== -1; index = BASE64_RUNS.next(text, end)) {
    BASE64.lastIndex = index;
    const [signs] = BASE64.exec(text) ?? [''];
    end = index + Math.max(signs.length, 1);
    const run = signs.length > MOST_SIGNS ? signs.slice(0, MOST_SIGNS) : signs;
    if (!/[A-Z0-9]/.test(run) || !IS_MIXED.test(run)) continue;
    const decoded = bytesAsText(Buffer.from(run, 'base64'));
    if (decoded !== undefined) found.push({ text: decoded, hiding: 'base64', position: index });
  }
  return found;
}

function decodeHex(text: string): HiddenText[] {
  const found: HiddenText[] = [];
  for (const { found: run, index } of findInRuns(text, HEX_RUNS, HEX, { before: 1, behind: 0 })) {
    const digits = run.slice(0, MOST_SIGNS).replaceAll(HEX_MARKS, '');
    const decoded = bytesAsText(Buffer.from(digits.slice(0, digits.length & ~1), 'hex'));
    if (decoded !== undefined) found.push({ text: decoded, hiding: 'hex', position: index });
  }
  return found;
}

import { bytesOf } from '../dlp/scan-text.ts';

/** The signs of disguises that a text has. */
export interface Screened {
  /** Letters and digits in one run, as long as the shortest secret, one line each: few texts have any. */
  readonly tokens: string;
  /** True if many short runs have letters and digits, as pieces of a key do, or are one digit. */
  readonly hasPieces: boolean;
  /** True if characters may be written as numbers: pairs of hex digits, lists of codes, bits. */
  readonly hasDigits: boolean;
  /** True if some run may be base64 or base32. */
  readonly hasRun: boolean;
  /** True if it has a character that begins an escape: `%`, `\`, `&`, `=`. */
  readonly hasEscapes: boolean;
  /** True if nothing in it may be invisible, or look like another character. */
  readonly isAscii: boolean;
  /** True if it has quotes. */
  readonly hasQuotes: boolean;
}

/** Characters of the shortest secret that is read otherwise. */
const TOKEN = 16;
/** Least characters of base64 without a digit: one key in ten has none there. */
const UNBROKEN = 20;
/** Least digits of a secret in hex. */
const HEX_DIGITS = 6;
/** Least pieces of a key that stands in pieces, or in single characters, most characters of one, and least characters that are written as numbers. */
const PIECES = 2;
const SINGLES = 3;
const LONGEST_PIECE = 24;
const NUMBERS = 8;
const LONGEST_NUMBER = 8;

/** Classes of characters; a text has those of all its characters. */
const DIGIT = 1;
const CAPITAL = 2;
const SMALL = 4;
const SIGN = 8;
const IN_RUN = DIGIT | CAPITAL | SMALL | SIGN;
const ESCAPE = 16;
const QUOTE = 32;
const ODD = 64;
const ALL = 2 * ODD - 1;
const CLASSES = new Uint8Array(256);
for (let code = 0; code < CLASSES.length; code += 1) {
  const character = String.fromCharCode(code);
  if (/\d/.test(character)) CLASSES[code] = DIGIT;
  else if (/[A-Z]/.test(character)) CLASSES[code] = CAPITAL;
  else if (/[a-z]/.test(character)) CLASSES[code] = SMALL;
  else if ('+/-_'.includes(character)) CLASSES[code] = SIGN;
  else if ('%\\&='.includes(character)) CLASSES[code] = ESCAPE;
  else if (`"'\``.includes(character)) CLASSES[code] = QUOTE;
  else if (/[^\t\n\r\x20-\x7e]/.test(character)) CLASSES[code] = ODD;
}

/** Tells in linear time which decodings are worth trying. */
export function screen(text: string): Screened {
  const bytes = bytesOf(text);
  const tokens: string[] = [];
  let hasRun = false;
  let hasHex = false;
  for (let start = nextRun(bytes, 0), end = 0; start !== -1; start = nextRun(bytes, end + 1)) {
    end = endOfRun(bytes, start);
    const digits = digitsIn(bytes, start, end);
    if (digits === 0 && end - start < UNBROKEN) continue;
    const kinds = classesOf(bytes, start, end, CAPITAL | SMALL);
    if (digits === 0) {
      hasRun ||= (kinds & CAPITAL) !== 0 && (kinds & SMALL) !== 0;
      continue;
    }
    // Base64 and base32 have capitals and digits; paths and names hardly ever do.
    hasRun ||= (kinds & CAPITAL) !== 0;
    hasHex ||= digits >= HEX_DIGITS;
    if ((kinds & (CAPITAL | SMALL)) !== 0) tokens.push(text.slice(start, end), '\n');
  }
  const { pieces, numbers, singles } = countShort(text, bytes);
  const classes = classesOf(bytes, 0, bytes.length, ALL);
  return {
    tokens: tokens.join(''),
    hasPieces: pieces >= PIECES || singles >= SINGLES,
    hasDigits: hasHex || numbers >= NUMBERS,
    hasRun,
    hasEscapes: (classes & ESCAPE) !== 0,
    isAscii: (classes & ODD) === 0,
    hasQuotes: (classes & QUOTE) !== 0,
  };
}

/** Characters that are walked at once: a short loop that runs often is compiled sooner, and better, than a long one. */
const PORTION = 4096;

/** The classes of the characters of a part, up to where all that are `wanted` were seen. */
function classesOf(bytes: Uint8Array, start: number, end: number, wanted: number): number {
  let classes = 0;
  for (let from = start; from < end && (classes & wanted) !== wanted; from += PORTION)
    classes |= classesIn(bytes, from, Math.min(end, from + PORTION));
  return classes;
}

function classesIn(bytes: Uint8Array, start: number, end: number): number {
  let classes = 0;
  for (let at = start; at < end; at += 1) classes |= CLASSES[bytes[at] as number] as number;
  return classes;
}

function digitsIn(bytes: Uint8Array, start: number, end: number): number {
  let digits = 0;
  for (let at = start; at < end; at += 1) digits += (CLASSES[bytes[at] as number] as number) & DIGIT;
  return digits;
}

const DIGITS = /\d+/g;

/** Counts short runs with digits, up to the numbers that matter. */
function countShort(text: string, bytes: Uint8Array): Record<'pieces' | 'numbers' | 'singles', number> {
  let pieces = 0;
  let singles = 0;
  let numbers = 0;
  DIGITS.lastIndex = 0;
  while (pieces < PIECES || numbers < NUMBERS) {
    const found = DIGITS.exec(text);
    if (found === null) break;
    let start = found.index;
    let end = DIGITS.lastIndex;
    while (end - start < LONGEST_PIECE && isIn(bytes, start - 1, IN_RUN)) start -= 1;
    while (end - start < LONGEST_PIECE && isIn(bytes, end, IN_RUN)) end += 1;
    DIGITS.lastIndex = end;
    const length = end - start;
    if (length === 1) singles += 1;
    if (length < 2 || length >= LONGEST_PIECE) continue;
    if (length > found[0].length) pieces += 1;
    if (length <= LONGEST_NUMBER) numbers += 1;
  }
  return { pieces, numbers, singles };
}

/** The beginning of the next run of at least `TOKEN` letters, digits and signs; -1 if there is none. */
function nextRun(bytes: Uint8Array, from: number): number {
  let start = from;
  while (start + TOKEN <= bytes.length) {
    const next = nextRunUpTo(bytes, start, Math.min(bytes.length - TOKEN, start + PORTION));
    if (next >= 0) return next;
    start = -next;
  }
  return -1;
}

/** The same up to some place, or else where to go on, as a negative number. It is looked for from its end, so most characters are skipped. */
function nextRunUpTo(bytes: Uint8Array, from: number, last: number): number {
  let start = from;
  while (start <= last) {
    let other = start + TOKEN - 1;
    while (other >= start && ((CLASSES[bytes[other] as number] as number) & IN_RUN) !== 0) other -= 1;
    if (other < start) return start;
    start = other + 1;
  }
  return -start;
}

function endOfRun(bytes: Uint8Array, start: number): number {
  let end = start;
  while (isIn(bytes, end, IN_RUN)) end += 1;
  return end;
}

function isIn(bytes: Uint8Array, at: number, classes: number): boolean {
  return ((CLASSES[bytes[at] ?? OTHER] as number) & classes) !== 0;
}

/** A character in no class but that of odd ones. */
const OTHER = 0xff;

import { MARKERS } from './secret-forms.ts';

/** Places in a text at which a secret may begin: one walk finds them for all searches, and nearly all texts have few. */
export interface TextScan {
  /** One byte for each UTF-16 unit. */
  readonly bytes: Uint8Array;
  /** Possible beginnings of markers of forms, in order. */
  readonly marks: readonly number[];
  /** Possible beginnings of words that tell of a secret within a name, in order. */
  readonly hints: readonly number[];
  /** Possible beginnings of the name of a social security number, in order. */
  readonly ssns: readonly number[];
  /** Parts in which long numbers may stand, also with capitals and in groups, in order. */
  readonly numbers: readonly TextRange[];
}

/** A part of a text. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Stands for what is no Latin-1: neither letter, digit, blank nor sign. */
const OTHER = 0xff;

/** No part of a text in Latin-1, as the runtime knows at once. */
const BEYOND_LATIN = /[^\x00-\xff]+/g;

/** The text with one byte for each UTF-16 unit; 255 stands for those that are no Latin-1. */
export function bytesOf(text: string): Uint8Array {
  const bytes = Buffer.from(text, 'latin1');
  for (const { 0: run, index } of text.matchAll(BEYOND_LATIN)) bytes.fill(OTHER, index, index + run.length);
  return bytes;
}

/**
 * Each character has a number below 32, and four of them make a key of 16 bits; letters have the same one in both cases. So the places that
 * the table tells of are more than there are, and never fewer.
 */
const KEYS = 1 << 16;
const NUMBERS = new Uint8Array(256);
const DIGIT = 27;
for (let letter = 1; letter <= 26; letter += 1) NUMBERS[letter + 0x40] = NUMBERS[letter + 0x60] = letter;
for (let digit = 0x30; digit <= 0x39; digit += 1) NUMBERS[digit] = DIGIT;
for (const [index, sign] of Array.from('-_:/').entries()) NUMBERS[sign.charCodeAt(0)] = DIGIT + 1 + index;

/** Meanings of a key: a beginning of four characters, or of three behind any other. */
const MARK = 1;
const SHORT_MARK = 2;
const HINT = 4;
const SHORT_HINT = 8;
const SSN = 16;
const SHORT_SSN = 32;

/** Beginnings of words that tell of a secret within a name, and of the name of a social security number. */
const HINTS = ['pass', 'pwd', 'secr', 'toke', 'key', 'auth', 'cook', 'cred', 'bear', 'jwt', 'conn', 'dsn', 'sig'];
const SSNS = ['ssn', 'soci'];

let known: Uint8Array | undefined;

/** Walks over a text once. */
export function scanText(text: string): TextScan {
  known ??= createTable();
  return scan(bytesOf(text), known);
}

/** Words have at least three characters, of which the first four count, whatever their case. Created on first use. */
function createTable(): Uint8Array {
  const table = new Uint8Array(KEYS);
  const add = (words: readonly string[], long: number, short: number): void => {
    for (const word of words) {
      const isLong = word.length >= 4;
      // The first four of a short one begin with any.
      for (let before = 0; before < (isLong ? 1 : 32); before += 1) {
        let key = isLong ? 0 : before;
        for (let at = 0; at < Math.min(4, word.length); at += 1) key = nextKey(key, NUMBERS[word.charCodeAt(at)] ?? 0);
        table[key] = (table[key] as number) | (isLong ? long : short);
      }
    }
  };
  add(
    MARKERS.flatMap((marker) => (marker.length > 2 ? [marker] : Array.from('0abcdef', (digit) => marker + digit))),
    MARK,
    SHORT_MARK,
  );
  add(HINTS, HINT, SHORT_HINT);
  add(SSNS, SSN, SHORT_SSN);
  return table;
}

function nextKey(key: number, number: number): number {
  return ((key << 4) ^ number) & (KEYS - 1);
}

function scan(bytes: Uint8Array, table: Uint8Array): TextScan {
  const marks: number[] = [];
  const hints: number[] = [];
  const ssns: number[] = [];
  for (let from = 0; from < bytes.length;) {
    const to = Math.min(bytes.length, from + PORTION);
    const at = nextKnown(bytes, table, from, to);
    from = at + 1;
    if (at >= to) from = to;
    else {
      const told = table[keyAt(bytes, at)] as number;
      if ((told & MARK) !== 0) marks.push(at - 3);
      if ((told & SHORT_MARK) !== 0) marks.push(at - 2);
      if ((told & HINT) !== 0) hints.push(at - 3);
      if ((told & SHORT_HINT) !== 0) hints.push(at - 2);
      if ((told & SSN) !== 0) ssns.push(at - 3);
      if ((told & SHORT_SSN) !== 0) ssns.push(at - 2);
    }
  }
  return { bytes, marks, hints, ssns, numbers: numbersIn(bytes) };
}

/** Characters that are walked at once: a short loop that runs often is compiled sooner, and better, than a long one. */
const PORTION = 4096;

/** The first place from there on at which four characters end that the table knows, or `to`. */
function nextKnown(bytes: Uint8Array, table: Uint8Array, from: number, to: number): number {
  let key = keyAt(bytes, from - 1);
  let at = from;
  for (; at < to; at += 1) {
    key = ((key << 4) ^ (NUMBERS[bytes[at] as number] as number)) & (KEYS - 1);
    if (table[key] !== 0) break;
  }
  return at;
}

/** The key of the four characters that end there; those before the text count as none. */
function keyAt(bytes: Uint8Array, last: number): number {
  let key = 0;
  for (let at = Math.max(0, last - 3); at <= last; at += 1) key = nextKey(key, NUMBERS[bytes[at] as number] as number);
  return key;
}

/** Least characters of a number that tells of a person or an account, with the signs in it, and least digits. */
const SHORTEST_NUMBER = 11;
const LEAST_DIGITS = 2;
const IN_NUMBERS = new Uint8Array(256);
for (const sign of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -') IN_NUMBERS[sign.charCodeAt(0)] = 1;

/** A match of a pattern in a text. */
export interface NumberMatch {
  readonly found: string;
  readonly groups: readonly (string | undefined)[];
  readonly start: number;
}

/** Characters behind a number that a pattern may look at. */
const BEHIND = 4;

/** The matches of a pattern for numbers of at least eleven characters, also with capitals and in groups, in order. */
export function* matchesInNumbers(text: string, { numbers }: TextScan, pattern: RegExp): Iterable<NumberMatch> {
  for (const { start, end } of numbers) {
    const from = Math.max(0, start - 1);
    for (const match of text.slice(from, end + BEHIND).matchAll(pattern))
      yield { found: match[0], groups: match.slice(1), start: from + match.index };
  }
}

/** Most characters of texts without long numbers are skipped. */
function numbersIn(bytes: Uint8Array): readonly TextRange[] {
  const found: TextRange[] = [];
  let first = 0;
  for (let at = SHORTEST_NUMBER - 1; at < bytes.length; at += SHORTEST_NUMBER) {
    if (IN_NUMBERS[bytes[at] as number] !== 1) {
      first = at + 1;
      continue;
    }
    let start = at;
    while (start > first && IN_NUMBERS[bytes[start - 1] as number] === 1) start -= 1;
    let end = at + 1;
    while (end < bytes.length && IN_NUMBERS[bytes[end] as number] === 1) end += 1;
    if (end - start >= SHORTEST_NUMBER && hasDigits(bytes, start, end)) found.push({ start, end });
    first = end + 1;
    at = end;
  }
  return found;
}

function hasDigits(bytes: Uint8Array, start: number, end: number): boolean {
  let digits = 0;
  for (let at = start; at < end && digits < LEAST_DIGITS; at += 1) if (NUMBERS[bytes[at] as number] === DIGIT) digits += 1;
  return digits === LEAST_DIGITS;
}

import { Runs } from '../detect/normalise/runs.ts';
import { decodeDigits } from '../detect/normalise/decode/decode-digits.ts';

/** A text that was written as numbers, and how. */
export interface NumberText {
  readonly text: string;
  readonly hiding: string;
}

/** Calls that make a character of its code: `chr(103) + chr(104)`. */
const CALL = /\b(?:chrw?|char|fromCharCode)\s{0,4}\(\s{0,4}(\d{2,3})\s{0,4}\)/gi;

/** Runs of numbers with signs between them. */
const RUNS = new Runs(/[\d\s,;:|./&+()[\]{}'"-]/, 35);

/** Codes of at least twelve characters, with a few signs between them. */
const LIST = /(?<!\d)(?:\d{2,3}[^\d]{1,8}){11,}\d{2,3}(?!\d)/g;

/** Most codes of one list that are read. */
const MOST_CODES = 16 * 1024;

/** Reads lists of the codes of characters, decimal or octal, whatever stands between them. */
export function codeTexts(text: string): readonly NumberText[] {
  const found: NumberText[] = [];
  const plain = CALL.test(text) ? text.replaceAll(CALL, ' $1 ') : text;
  CALL.lastIndex = 0;
  for (let start = RUNS.next(plain, 0), end = 0; start !== -1; start = RUNS.next(plain, end)) {
    end = RUNS.end(plain, start);
    for (const [list] of plain.slice(start, end).matchAll(LIST)) {
      const codes = (list.match(/\d+/g) ?? []).slice(0, MOST_CODES);
      for (const base of [10, 8]) {
        const numbers = codes.map((code) => (base === 8 && /[89]/.test(code) ? 0 : Number.parseInt(code, base)));
        if (numbers.every((code) => (code >= 0x20 && code < 0x7f) || (code >= 0x09 && code <= 0x0d)))
          found.push({ text: Buffer.from(numbers).toString('latin1'), hiding: 'codes' });
      }
    }
  }
  return found;
}

/** A line of `xxd`, `hexdump -C` or `od -x`: a place, up to 16 bytes in hex, and perhaps their characters. */
const DUMP_LINE = /^[ \t]*[\da-f]{6,16}:?[ \t]+((?:[\da-f]{2,4}[ \t]{1,2}){1,16}[\da-f]{0,4})/gim;

/** Reads the bytes that programs show in lines of hex. */
export function dumpTexts(text: string): readonly NumberText[] {
  const lines = Array.from(text.matchAll(DUMP_LINE), ([, bytes = '']) => bytes.replaceAll(/\s/g, ''));
  if (lines.length < 1) return [];
  return [{ text: Buffer.from(lines.join(''), 'hex').toString('latin1'), hiding: 'hex' }];
}

/** Base32 in small letters, one a line. */
const BASE32 = /^[a-z2-7]{20,}$/gm;

/** Reads base32 in small letters. @param tokens letters and digits in one run, one a line */
export function base32Texts(tokens: string): readonly NumberText[] {
  const found = tokens.match(BASE32)?.filter((token) => /\d.*\d/.test(token)) ?? [];
  return found.length === 0 ? [] : decodeDigits(found.join('\n').toUpperCase()).map(({ text }) => ({ text, hiding: 'base32' }));
}

/** Digits with the same few signs between them; coordinates have others. */
const DIGITS =
  /(?<![\w]|\d[^\w\n]{1,3})(?:\d{1,12}([^\w\n]{1,3}|_)\d{1,12}(?:\1\d{1,12}){0,17}|\d{14,19})(?![\w]|[^\w\n]{1,3}\d)/g;

/** Digits of a card. */
const LEAST_DIGITS = 14;
const MOST_DIGITS = 19;

/** Reads numbers that have as many digits as cards without the signs between them, forwards and backwards; their surroundings stay. */
export function numbersClosedUp(text: string): readonly NumberText[] {
  const read = (change: (signs: string, digits: string) => string): string =>
    text.replaceAll(DIGITS, (signs) => {
      const digits = signs.replaceAll(/\D/g, '');
      return digits.length >= LEAST_DIGITS && digits.length <= MOST_DIGITS ? change(signs, digits) : signs;
    });
  const backwards = read((signs) => Array.from(signs).toReversed().join(''));
  const closedUp = read((_, digits) => digits);
  // A number that is the same backwards tells nothing new.
  if (backwards === text && closedUp === text) return [];
  return [
    { text: closedUp, hiding: 'spaced' },
    { text: backwards, hiding: 'reversed' },
    { text: read((_, digits) => Array.from(digits).toReversed().join('')), hiding: 'reversed' },
  ];
}

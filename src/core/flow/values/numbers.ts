import { letterKind, NOTHING } from './letters.ts';

/** Digits of a number that is compared; a longer one is found by any such run in it. */
export const NUMBER = 9;

/** Most characters between two digits of one number: `) `, ` - `. */
const MOST_BETWEEN = 3;

/** Most groups of nine digits: `06 12 34 56 78`. */
const MOST_GROUPS = 5;

const MODULUS = 10 ** NUMBER;

/** Receives each run of nine digits: its value, and its range in the text. */
export type NumberVisitor = (value: number, start: number, end: number) => void;

/**
 * Visits the runs of nine digits in a text, whatever separates them, as long as it is short and has no letter. Trivial ones, such as
 * 100000000 and 123456789, are left out.
 *
 * @param mostGroups most groups of digits: a search for known numbers may accept one for each digit, but when remembering, tables would
 * become numbers
 */
export function visitNumbers(text: string, visit: NumberVisitor, mostGroups = MOST_GROUPS): void {
  const places = new Int32Array(NUMBER);
  const groups = new Int32Array(NUMBER);
  let count = 0;
  let group = 0;
  let value = 0;
  let last = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x30 || code > 0x39) {
      if (count > 0 && letterKind(code) !== NOTHING) count = 0;
      continue;
    }
    // Leading zeros vary: 0044, +44.
    if (count === 0 && code === 0x30) continue;
    if (count > 0 && index - last > 1) {
      if (index - last > MOST_BETWEEN + 1) count = 0;
      if (count === 0 && code === 0x30) continue;
      group += 1;
    }
    value = count === 0 ? code - 0x30 : (value * 10 + code - 0x30) % MODULUS;
    const at = count % NUMBER;
    places[at] = index;
    groups[at] = group;
    last = index;
    count += 1;
    if (count < NUMBER) continue;
    const first = count % NUMBER;
    if (group - (groups[first] ?? 0) < mostGroups && isTelling(value)) visit(value, places[first] ?? 0, index + 1);
  }
}

/** Tells whether a number has at least four different digits that are not in sequence. */
function isTelling(value: number): boolean {
  let seen = 0;
  let steps = 0;
  let rest = value;
  let before = -1;
  for (let place = 0; place < NUMBER; place += 1) {
    const digit = rest % 10;
    rest = (rest - digit) / 10;
    seen |= 1 << digit;
    if (before >= 0 && Math.abs(before - digit) === 1) steps += 1;
    before = digit;
  }
  let different = 0;
  for (let bits = seen; bits !== 0; bits &= bits - 1) different += 1;
  return different >= 4 && steps < NUMBER - 2;
}

/** Matches numbers that identify nothing: dates, times, timestamps in seconds or milliseconds from 2001 to 2033, IP addresses, versions. */
const KNOWN_NUMBERS = new RegExp(
  [
    String.raw`(?<!\d)(?:19|20)\d\d[-/.]?[01]\d[-/.]?[0-3]\d(?:[T _-]?[0-2]\d[:.-]?[0-5]\d(?:[:.-]?[0-5]\d(?:[.,]\d{1,9})?)?)?(?:Z|[+-]\d\d:?\d\d)?(?!\d)`,
    String.raw`(?<!\d)[0-3]?\d[-/.][01]?\d[-/.](?:19|20)\d\d(?!\d)`,
    String.raw`(?<!\d)[0-2]\d:[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?!\d)`,
    String.raw`(?<![\w.])1\d{9}(?:\.\d{1,9}|\d{3}|\d{6}|\d{9})?(?![\w])`,
    String.raw`(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?![\w.])`,
    String.raw`(?<![\w.])v?\d{1,5}(?:\.\d{1,5}){2,3}(?![\w.])`,
  ].join('|'),
  'g',
);

/** The text with each such number blanked; all are long enough to end a number. */
export function withoutKnownNumbers(text: string): string {
  return text.replace(KNOWN_NUMBERS, (found) => ' '.repeat(found.length));
}

import { DIGIT, letterKind, LOWER, NOTHING, UPPER } from './letters.ts';

/** Letters that often follow each letter in words of European languages and in names of code. */
const FOLLOWERS: Readonly<Record<string, string>> = {
  a: 'bcdfghiklmnprstuvwxyz',
  b: 'abeiloqrstuy',
  c: 'aehikloprstuy',
  d: 'adeiorsuy',
  e: 'abcdefgilmnpqrstuvwxy',
  f: 'aefilortu',
  g: 'aeghilnorsu',
  h: 'aeiortuy',
  i: 'abcdefgklmnoprstvz',
  j: 'aeosu',
  k: 'einsu',
  l: 'adefikostuvly',
  m: 'abeimopsuy',
  n: 'acdefgiknostuvy',
  o: 'abcdfgiklmnoprstuvw',
  p: 'aehiloprstuy',
  q: 'u',
  r: 'abcdegiklmnorstuvyf',
  s: 'acehiklmnopqstuwy',
  t: 'acehilmorstuwy',
  u: 'abcdegilmnprstxz',
  v: 'aeio',
  w: 'aehinors',
  x: 'aceipt',
  y: 'aeilmnopst',
  z: 'aeioz',
};

const IS_COMMON = new Uint8Array(26 * 26);
for (const [letter, followers] of Object.entries(FOLLOWERS)) {
  for (const follower of followers) IS_COMMON[pairOf(letter.charCodeAt(0), follower.charCodeAt(0))] = 1;
}

function pairOf(first: number, second: number): number {
  return ((first | 0x20) - 0x61) * 26 + (second | 0x20) - 0x61;
}

// Bits of a character. A digit has log2 10, a letter log2 26; one that its word predicts has less.
const DIGIT_BITS = 3.3;
const LETTER_BITS = 4.7;
const WORD_BITS = 1.8;
const KNOWN_BITS = 1;

/** Bits of letters in short runs beside other characters, since they look like words by chance. */
const SHORT_WORD_BITS: Readonly<Record<number, number>> = { 3: 3.2, 4: 2.6 };

/** Least share of rare pairs in random text. */
const RANDOM_PAIRS = 0.4;

/**
 * Measures how random the characters of a token are: little in words and sequential numbers, much in keys. The case and the joints between
 * words (`getUserId`, `user_id`) count.
 *
 * @param bits receives one number for each character from `start`; 0 for anything but letters and digits
 */
export function measureRandomness(
  text: string,
  token: { readonly start: number; readonly end: number },
  bits: Float32Array,
): void {
  const { start, end } = token;
  let index = start;
  while (index < end) {
    const next = partEnd(text, index, end);
    const value = partBits(text, index, next, token);
    bits.fill(value, index - start, next - start);
    index = next;
  }
}

/** The end of a part: a run of digits, a word with its capital, a run of capitals, or anything else. */
function partEnd(text: string, start: number, end: number): number {
  const first = letterKind(text.charCodeAt(start));
  let index = start + 1;
  let kind = index < end ? letterKind(text.charCodeAt(index)) : NOTHING;
  if (first === UPPER && kind === LOWER) {
    while (index < end && letterKind(text.charCodeAt(index)) === LOWER) index += 1;
    return index;
  }
  while (index < end && kind === first) {
    index += 1;
    kind = index < end ? letterKind(text.charCodeAt(index)) : NOTHING;
  }
  // The last capital of `XMLHttp` belongs to the next word.
  return first === UPPER && kind === LOWER && index - start > 1 ? index - 1 : index;
}

function partBits(text: string, start: number, end: number, token: { readonly start: number; readonly end: number }): number {
  const kind = letterKind(text.charCodeAt(start));
  if (kind === NOTHING) return 0;
  const length = end - start;
  const before = start > token.start ? letterKind(text.charCodeAt(start - 1)) : NOTHING;
  const after = end < token.end ? letterKind(text.charCodeAt(end)) : NOTHING;
  const isAlone = before === NOTHING && after === NOTHING;
  if (kind === DIGIT) {
    if (isAlone && length < 3) return KNOWN_BITS;
    // `arm64`, `sha256`: a word with its number.
    if (length <= 3 && after === NOTHING && isWordBefore(text, start, token.start)) return KNOWN_BITS;
    const century = text.slice(start, start + 2);
    return length === 4 && (century === '19' || century === '20') ? KNOWN_BITS : DIGIT_BITS;
  }
  if (length === 1) return isAlone ? WORD_BITS : LETTER_BITS;
  let rare = 0;
  for (let index = start + 1; index < end; index += 1) {
    if (!isCommonPair(text.charCodeAt(index - 1), text.charCodeAt(index))) rare += 1;
  }
  if (length === 2) return rare === 0 ? 3.5 : LETTER_BITS;
  const randomness = Math.min(1, rare / ((length - 1) * RANDOM_PAIRS));
  // Short words that stand alone are names of something: GET, SQL, tmp.
  if (isAlone && length <= 4) return WORD_BITS + randomness;
  const least = isAlone ? WORD_BITS : (SHORT_WORD_BITS[length] ?? WORD_BITS);
  return least + (LETTER_BITS - least) * randomness;
}

function isWordBefore(text: string, end: number, least: number): boolean {
  let start = end;
  while (start > least && letterKind(text.charCodeAt(start - 1)) >= LOWER) start -= 1;
  return end - start >= 3;
}

function isCommonPair(first: number, second: number): boolean {
  if (first > 0x7a || second > 0x7a) return true;
  return IS_COMMON[pairOf(first, second)] === 1;
}

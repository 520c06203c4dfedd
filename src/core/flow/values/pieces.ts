import { DIGIT, letterKind, lowerCase } from './letters.ts';
import { measureRandomness } from './randomness.ts';
import { PASSAGE, PIECE, type RollingHash } from './rolling-hash.ts';

/** At least one of this many consecutive passages is remembered: an equal text of 24 + 8 - 1 letters and digits is found. */
const WINDOW = 8;

interface PassageVisitor {
  /** Receives a passage to remember. */
  passage(mark: number): void;
  /** @param end mark of the last passage or piece of the line, whichever fits into it */
  line(mark: number, end: number): void;
}

/** Least bits of a random piece of twelve characters; the second is for letters only, which a word of another language must not reach. */
const RANDOM_BITS = 37;
const RANDOM_LETTER_BITS = 46;

/** Least average bits, over at least so many characters, of a token that is random as a whole: all its varied pieces count. */
const RANDOM_AVERAGE = 3.2;
const RANDOM_LENGTH = 16;
/** Least average bits of a token with slashes to count as base64, not as a path. */
const RANDOM_PATH = 3.8;

/** Least different characters of a piece. */
const LEAST_DIFFERENT = 5;

/** Longest token that is read at once. A longer one is cut, with an overlap of a piece. */
const LONGEST = 4096;

/** Characters that end an identifier. A slash may be a part of one, in base64. */
const ENDS = new Uint8Array(128);
for (const end of ' \t\r\n\f\v\0"\'`,;:@<>(){}[]|=\\') ENDS[end.charCodeAt(0)] = 1;
const SLASH = 0x2f;

export interface PieceVisitor {
  /** Tells whether a mark is worth a closer look. */
  wants(mark: number): boolean;
  piece(mark: number): void;
}

// Buffer that is reused.
const bits = new Float32Array(LONGEST);

/**
 * Visits the pieces of twelve letters and digits, in lower case, that are too random to occur in two texts by chance.
 *
 * @param text as it is, with its case
 */
export function visitRandomPieces(text: string, hash: RollingHash, visitor: PieceVisitor): void {
  const search: Search = { text, hash, visitor };
  let start = 0;
  let letters = 0;
  for (let index = 0; index <= text.length; index += 1) {
    const code = index < text.length ? text.charCodeAt(index) : 0;
    if (code >= 128 || ENDS[code] === 0) {
      letters += 1;
      if (letters < LONGEST) continue;
    }
    if (letters >= PIECE) visitToken(search, { start, end: Math.min(index + 1, start + letters) });
    const isCut = letters >= LONGEST;
    start = isCut ? index - PIECE : index + 1;
    letters = isCut ? PIECE + 1 : 0;
  }
}

interface Search {
  readonly text: string;
  readonly hash: RollingHash;
  readonly visitor: PieceVisitor;
}

interface Token {
  readonly start: number;
  readonly end: number;
}

function visitToken(search: Search, token: Token): void {
  const { text } = search;
  if (!isPath(text, token) || averageOf(text, token) >= RANDOM_PATH) {
    visitPart(search, token, RANDOM_BITS);
    return;
  }
  // The names in a path are rated separately: together they look more random than they are.
  let start = token.start;
  for (let index = start; index <= token.end; index += 1) {
    if (index < token.end && text.charCodeAt(index) !== SLASH) continue;
    if (index - start >= PIECE) visitPart(search, { start, end: index }, RANDOM_LETTER_BITS);
    start = index + 1;
  }
}

/** Tells whether a token is a path, such as `/a`, `./a`, `~/a`, and the rest behind `https:`. */
function isPath(text: string, { start, end }: Token): boolean {
  let index = start;
  while (index < end && index - start < 3 && '.~@'.includes(text.charAt(index))) index += 1;
  if (text.charCodeAt(index) === SLASH) return true;
  // `src/index.ts`: words between slashes, ending in a name with an extension.
  return /^[\w.-]+(?:\/[\w.@+-]+)+\.[a-z]{1,5}$/i.test(text.slice(start, Math.min(end, start + 256)));
}

function averageOf(text: string, { start, end }: Token): number {
  const part = bits.subarray(0, end - start);
  measureRandomness(text, { start, end }, part);
  let sum = 0;
  let count = 0;
  for (const value of part) {
    sum += value;
    if (value > 0) count += 1;
  }
  return count < RANDOM_LENGTH ? 0 : sum / count;
}

/** @param least bits of a piece that is random enough */
function visitPart({ text, hash, visitor }: Search, { start, end }: Token, least: number): void {
  const part = bits.subarray(0, end - start);
  measureRandomness(text, { start, end }, part);
  let most = 0;
  for (let index = 0; index < part.length; index += 1) most += part[index] ?? 0;
  if (most < RANDOM_BITS) return;
  hash.reset();
  hash.read(lowerCase(text.slice(start, end)), 0);
  const isRandom = hash.to >= RANDOM_LENGTH && most >= hash.to * RANDOM_AVERAGE;
  let sum = 0;
  let letters = 0;
  for (let at = 0; at < hash.to; at += 1) {
    const place = hash.placeOf(at);
    sum += part[place] ?? 0;
    if (letterKind(text.charCodeAt(start + place)) !== DIGIT) letters += 1;
    if (at < PIECE - 1) continue;
    if (letters > 0 && (isRandom || sum >= (letters === PIECE ? RANDOM_LETTER_BITS : least))) {
      const mark = hash.piece(at);
      if (visitor.wants(mark) && isVaried(text, start, at, hash)) visitor.piece(mark);
    }
    const gone = hash.placeOf(at - PIECE + 1);
    sum -= part[gone] ?? 0;
    if (letterKind(text.charCodeAt(start + gone)) !== DIGIT) letters -= 1;
  }
}

/** Tells whether a piece is varied: few different characters make a pattern. */
function isVaried(text: string, start: number, last: number, hash: RollingHash): boolean {
  let seen = 0;
  for (let at = last - PIECE + 1; at <= last; at += 1) seen |= 1 << (text.charCodeAt(start + hash.placeOf(at)) & 31);
  let different = 0;
  for (let rest = seen; rest !== 0; rest &= rest - 1) different += 1;
  return different >= LEAST_DIFFERENT;
}

/**
 * Chooses passages by the smallest hash of each window, the winnowing of Schleimer et al. ("Winnowing: local algorithms for document
 * fingerprinting", 2003), so that the choice in a text does not depend on its surroundings.
 *
 * @param text in lower case
 * @param hash goes on from its earlier texts, so that a table's cells follow each other
 */
export function visitPassages(text: string, hash: RollingHash, visitor: PassageVisitor): void {
  for (let index = hash.read(text, 0); ; index = hash.read(text, index)) {
    for (const { mark, last, letters } of hash.lines)
      visitor.line(mark, letters >= PASSAGE ? hash.passage(last) : hash.piece(last));
    // Windows restart with each block, which gives a few more passages, and none fewer.
    choose(hash, visitor);
    if (index > text.length) return;
  }
}

function choose(hash: RollingHash, visitor: PassageVisitor): void {
  const start = Math.max(hash.from - WINDOW + 1, PASSAGE - 1);
  let leastAt = -1;
  let least = 0;
  for (let at = start; at < hash.to; at += 1) {
    const next = hash.passageLow(at);
    if (leastAt === -1 || next <= least) {
      least = next;
      leastAt = at;
      visitor.passage(hash.passage(at));
    } else if (at - leastAt >= WINDOW) {
      // The smallest has left the window, and the next smallest after it counts.
      leastAt = at;
      least = next;
      for (let other = at - 1; other > at - WINDOW; other -= 1) {
        const low = hash.passageLow(other);
        if (low >= least) continue;
        leastAt = other;
        least = low;
      }
      visitor.passage(hash.passage(leastAt));
    }
  }
}

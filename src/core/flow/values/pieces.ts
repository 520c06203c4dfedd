import { DIGIT, letterKind, lowerCase } from './letters.ts';
import { measureRandomness } from './randomness.ts';
import { PASSAGE, PIECE, type RollingHash } from './rolling-hash.ts';

/** Of this many passages in a row at least one is remembered: a text of 24 + 8 - 1 letters and digits that is the same is found. */
const WINDOW = 8;

interface PassageVisitor {
  /** A passage that is remembered. */
  passage(mark: number): void;
  /** @param end mark of the last passage or piece of the line, whichever fits into it */
  line(mark: number, end: number): void;
}

/** Bits of a piece of twelve characters that is random enough; where it has letters only, a word of another language must not be. */
const RANDOM_BITS = 37;
const RANDOM_LETTER_BITS = 46;

/** Of a token that is as random as this on the whole, in bits for each of at least so many characters, all varied pieces count. */
const RANDOM_AVERAGE = 3.2;
const RANDOM_LENGTH = 16;
/** Of what starts with a slash, or has one: then it is base64. */
const RANDOM_PATH = 3.8;

/** Characters of a piece that are not the same. */
const LEAST_DIFFERENT = 5;

/** Longest token that is looked at in one go. What is longer is cut, with an overlap of a piece. */
const LONGEST = 4096;

/** What ends an identifier. A slash may be a part of one, in base64. */
const ENDS = new Uint8Array(128);
for (const end of ' \t\r\n\f\v\0"\'`,;:@<>(){}[]|=\\') ENDS[end.charCodeAt(0)] = 1;
const SLASH = 0x2f;

export interface PieceVisitor {
  /** Says what need not be looked at more closely. */
  wants(mark: number): boolean;
  piece(mark: number): void;
}

// Room that is used again and again.
const bits = new Float32Array(LONGEST);

/**
 * The pieces of twelve letters and digits, in lower case, that are random enough not to stand in two texts by chance.
 *
 * @param text as it is, with its case
 * @param hash is used for it from the start
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
  // The names in a path are each for themselves: together they look more random than they are.
  let start = token.start;
  for (let index = start; index <= token.end; index += 1) {
    if (index < token.end && text.charCodeAt(index) !== SLASH) continue;
    if (index - start >= PIECE) visitPart(search, { start, end: index }, RANDOM_LETTER_BITS);
    start = index + 1;
  }
}

/** `/a`, `./a`, `~/a`, and what follows `https:`. */
function isPath(text: string, { start, end }: Token): boolean {
  let index = start;
  while (index < end && index - start < 3 && '.~@'.includes(text.charAt(index))) index += 1;
  if (text.charCodeAt(index) === SLASH) return true;
  // `src/index.ts`: words between all slashes of which at least one is followed by a name with an ending.
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

/** Pieces of few different characters are patterns. */
function isVaried(text: string, start: number, last: number, hash: RollingHash): boolean {
  let seen = 0;
  for (let at = last - PIECE + 1; at <= last; at += 1) seen |= 1 << (text.charCodeAt(start + hash.placeOf(at)) & 31);
  let different = 0;
  for (let rest = seen; rest !== 0; rest &= rest - 1) different += 1;
  return different >= LEAST_DIFFERENT;
}

/**
 * Chooses passages by the smallest hash of each window, the winnowing of Schleimer et al. ("Winnowing: local algorithms for document
 * fingerprinting", 2003), so that the choice in a text does not depend on what is around it.
 *
 * @param text in lower case
 * @param hash goes on from what it was given before, so that a table's cells follow each other
 */
export function visitPassages(text: string, hash: RollingHash, visitor: PassageVisitor): void {
  for (let index = hash.read(text, 0); ; index = hash.read(text, index)) {
    for (const { mark, last, letters } of hash.lines)
      visitor.line(mark, letters >= PASSAGE ? hash.passage(last) : hash.piece(last));
    // Windows start anew with each block: there are a few more passages then, and none less.
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
      // The least has left the window, and the next one after it counts.
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

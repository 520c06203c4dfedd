import { letterKind, NOTHING } from './letters.ts';
import { markOf, mix, rotate, type ValueHasher } from './value-hasher.ts';

/** Letters and digits of a piece of an identifier, and of a passage of text. */
export const PIECE = 12;
export const PASSAGE = 2 * PIECE;

/** Letters and digits of the shortest line that is compared as a whole. */
const SHORTEST_LINE = 16;

/** Letters and digits that are hashed at once. */
const BLOCK = 4096;
const NEW_LINE = 0x0a;
/** Room for the letters carried over from the previous block. */
const CARRIED = 32;

/** A line with enough letters and digits. */
export interface HashedLine {
  readonly mark: number;
  /** Positions of its first letter or digit, and behind its last one. */
  readonly start: number;
  readonly end: number;
  /** Index of its last letter in the block. */
  readonly last: number;
  readonly letters: number;
}

/**
 * Hashes of each 12 and 24 consecutive letters and digits, two cyclic polynomials (Cohen, "Recursive hashing functions for n-grams", 1997)
 * over the hasher's random numbers. A text is hashed block by block: these loops are the hottest in comparing values, and each of them is
 * one loop over plain arrays.
 */
export class RollingHash {
  /** Range of this block's letters, before `to`; the last ones of the previous block precede it, if there was one. */
  from = 0;
  to = 0;
  /** Lines that ended in this block. */
  lines: HashedLine[] = [];
  readonly #hasher: ValueHasher;
  readonly #codes = new Uint16Array(CARRIED + BLOCK);
  readonly #lows = new Int32Array(CARRIED + BLOCK);
  readonly #highs = new Int32Array(CARRIED + BLOCK);
  readonly #places = new Int32Array(CARRIED + BLOCK);
  readonly #saltLow: number;
  readonly #saltHigh: number;
  #lineLow = 0;
  #lineHigh = 0;
  #lineLetters = 0;
  #lineStart = 0;

  constructor(hasher: ValueHasher) {
    this.#hasher = hasher;
    this.#saltLow = hasher.salts[4] ?? 1;
    this.#saltHigh = hasher.salts[5] ?? 1;
  }

  /**
   * Hashes the next block of a text. Letters of an earlier text still count as preceding ones.
   *
   * @param text in lower case
   * @returns the start of the next block; more than the text's length if there is none
   */
  read(text: string, start: number): number {
    this.#carry();
    const { low: lowNumbers, high: highNumbers } = this.#hasher;
    const [codes, lows, highs, places] = [this.#codes, this.#lows, this.#highs, this.#places];
    let at = this.to;
    let low = at > 0 ? (lows[at - 1] ?? 0) : 0;
    let high = at > 0 ? (highs[at - 1] ?? 0) : 0;
    let index = start;
    for (; index <= text.length && at < codes.length; index += 1) {
      const code = index < text.length ? text.charCodeAt(index) : NEW_LINE;
      if (code === NEW_LINE) {
        this.#endLine(at);
        continue;
      }
      if (letterKind(code) === NOTHING) continue;
      const number = (code ^ (code >>> 10)) & 0x3ff;
      const lowNumber = lowNumbers[number] ?? 0;
      const highNumber = highNumbers[number] ?? 0;
      low = rotate(low, 1) ^ lowNumber;
      high = rotate(high, 5) ^ highNumber;
      if (at >= PIECE) {
        const gone = codes[at - PIECE] ?? 0;
        low ^= rotate(lowNumbers[gone] ?? 0, PIECE);
        high ^= rotate(highNumbers[gone] ?? 0, (5 * PIECE) % 32);
      }
      codes[at] = number;
      lows[at] = low;
      highs[at] = high;
      places[at] = index;
      at += 1;
      if (this.#lineLetters === 0) this.#lineStart = index;
      this.#lineLetters += 1;
      this.#lineLow = Math.imul(this.#lineLow ^ lowNumber, this.#saltLow);
      this.#lineHigh = Math.imul(rotate(this.#lineHigh, 9) ^ highNumber, this.#saltHigh);
    }
    this.to = at;
    return index;
  }

  /** Forgets all letters. */
  reset(): void {
    this.from = 0;
    this.to = 0;
    this.#startLine();
  }

  /** The first bits of the mark of the 12 letters that end at `at`; at least 12 must be there, including those carried over. */
  pieceLow(at: number): number {
    return this.#lows[at] ?? 0;
  }

  piece(at: number): number {
    return markOf(this.#lows[at] ?? 0, this.#highs[at] ?? 0);
  }

  /** The same for the 24 letters that end there. */
  passageLow(at: number): number {
    return mix(Math.imul(this.#lows[at - PIECE] ?? 0, this.#saltLow) ^ rotate(this.#lows[at] ?? 0, 7), this.#saltHigh);
  }

  passage(at: number): number {
    const high = Math.imul(this.#highs[at - PIECE] ?? 0, this.#saltHigh) ^ rotate(this.#highs[at] ?? 0, 11);
    return markOf(this.passageLow(at), high);
  }

  /** The position of a letter in its text. */
  placeOf(at: number): number {
    return this.#places[at] ?? 0;
  }

  #carry(): void {
    const kept = Math.min(this.to, CARRIED);
    for (const list of [this.#codes, this.#lows, this.#highs, this.#places]) list.copyWithin(0, this.to - kept, this.to);
    this.from = kept;
    this.to = kept;
    if (this.lines.length > 0) this.lines = [];
  }

  #endLine(at: number): void {
    const letters = this.#lineLetters;
    if (letters >= SHORTEST_LINE) {
      const mark = markOf(mix(this.#lineLow, this.#saltHigh), mix(this.#lineHigh, this.#saltLow));
      this.lines.push({ mark, start: this.#lineStart, end: (this.#places[at - 1] ?? 0) + 1, last: at - 1, letters });
    }
    this.#startLine();
  }

  #startLine(): void {
    this.#lineLetters = 0;
    this.#lineLow = 0;
    this.#lineHigh = 0;
  }
}

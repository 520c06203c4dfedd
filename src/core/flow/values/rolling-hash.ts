import { markOf, mix, rotate, type ValueHasher } from './value-hasher.ts';

/** Letters and digits of a piece of an identifier, and of a passage of text. */
export const PIECE = 12;
export const PASSAGE = 2 * PIECE;

const RING = 31;

/**
 * Hashes of the last 12 and 24 characters of a stream, two cyclic polynomials (Cohen, "Recursive hashing functions for n-grams", 1997) over the
 * hasher's random numbers. The caller pushes letters and digits only, in lower case.
 */
export class RollingHash {
  /** Characters since the start. */
  count = 0;
  /** Characters of this line. */
  lineCount = 0;
  #lineLow = 0;
  #lineHigh = 0;
  #low = 0;
  #high = 0;
  readonly #hasher: ValueHasher;
  // Of the last 32 characters: what they added, and what the hash was with each as the last.
  readonly #codes = new Uint16Array(RING + 1);
  readonly #lows = new Int32Array(RING + 1);
  readonly #highs = new Int32Array(RING + 1);
  readonly #places = new Int32Array(RING + 1);
  readonly #saltLow: number;
  readonly #saltHigh: number;

  constructor(hasher: ValueHasher) {
    this.#hasher = hasher;
    this.#saltLow = hasher.salts[4] ?? 1;
    this.#saltHigh = hasher.salts[5] ?? 1;
  }

  reset(): void {
    this.count = 0;
    this.#low = 0;
    this.#high = 0;
  }

  /** @param place of the character in its text, for `placeOf` */
  push(code: number, place: number): void {
    const { low, high } = this.#hasher;
    const at = this.count & RING;
    const index = (code ^ (code >>> 12)) & 0xfff;
    let nextLow = rotate(this.#low, 1) ^ (low[index] ?? 0);
    let nextHigh = rotate(this.#high, 5) ^ (high[index] ?? 0);
    if (this.count >= PIECE) {
      const gone = this.#codes[(this.count - PIECE) & RING] ?? 0;
      nextLow ^= rotate(low[gone] ?? 0, PIECE);
      nextHigh ^= rotate(high[gone] ?? 0, (5 * PIECE) % 32);
    }
    this.#codes[at] = index;
    this.#places[at] = place;
    this.#lows[at] = nextLow;
    this.#highs[at] = nextHigh;
    this.#low = nextLow;
    this.#high = nextHigh;
    this.count += 1;
    this.#lineLow = Math.imul(this.#lineLow ^ (low[index] ?? 0), this.#saltLow);
    this.#lineHigh = Math.imul(rotate(this.#lineHigh, 9) ^ (high[index] ?? 0), this.#saltHigh);
    this.lineCount += 1;
  }

  startLine(): void {
    this.lineCount = 0;
    this.#lineLow = 0;
    this.#lineHigh = 0;
  }

  /** The mark of all characters since the line started. */
  line(): number {
    return markOf(mix(this.#lineLow, this.#saltHigh), mix(this.#lineHigh, this.#saltLow));
  }

  /** The mark of the last 12; only where there are as many. */
  piece(): number {
    return markOf(this.#low, this.#high);
  }

  /** The most significant bits of the mark of the last 24, as a signed number. */
  passageOrder(): number {
    return this.#passageLow(this.count - 1);
  }

  /** The mark of the 24 that ended `back` characters ago, at most 8; only where there are as many. */
  passage(back: number): number {
    const last = this.count - 1 - back;
    const high = Math.imul(this.#highs[(last - PIECE) & RING] ?? 0, this.#saltHigh) ^ rotate(this.#highs[last & RING] ?? 0, 11);
    return markOf(this.#passageLow(last), high);
  }

  #passageLow(last: number): number {
    const low = Math.imul(this.#lows[(last - PIECE) & RING] ?? 0, this.#saltLow) ^ rotate(this.#lows[last & RING] ?? 0, 7);
    return mix(low, this.#saltHigh);
  }

  /** Place of the character that came `back` before the last one, at most 23. */
  placeOf(back: number): number {
    return this.#places[(this.count - 1 - back) & RING] ?? 0;
  }
}

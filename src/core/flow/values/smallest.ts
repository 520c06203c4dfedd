/**
 * Keeps the smallest of many numbers, each once. As hashes are evenly spread, these are a sample that depends on nothing but what was
 * added: the same values are kept in whatever order they come.
 */
export class Smallest {
  readonly #most: number;
  readonly #room: Float64Array;
  #count = 0;
  #limit = Infinity;
  #isCut = false;

  constructor(most: number) {
    this.#most = most;
    this.#room = new Float64Array(most * 4);
  }

  add(value: number): void {
    if (value >= this.#limit) {
      // What equals the limit may be one that is kept already; it says little to call that a cut once more.
      return;
    }
    this.#room[this.#count] = value;
    this.#count += 1;
    if (this.#count === this.#room.length) this.#tidy();
  }

  /** Was anything left out? */
  get isCut(): boolean {
    this.#tidy();
    return this.#isCut;
  }

  /** What is kept, smallest first. */
  values(): Float64Array {
    this.#tidy();
    return this.#room.subarray(0, this.#count);
  }

  #tidy(): void {
    const values = this.#room.subarray(0, this.#count).sort();
    let kept = 0;
    for (const value of values) {
      if (kept > 0 && values[kept - 1] === value) continue;
      values[kept] = value;
      kept += 1;
    }
    if (kept > this.#most) {
      this.#isCut = true;
      kept = this.#most;
      this.#limit = values[kept - 1] ?? Infinity;
    }
    this.#count = kept;
  }
}

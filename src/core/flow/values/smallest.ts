const FIRST_ROOM = 256;

/**
 * Keeps the smallest of many numbers, each once. Hashes are evenly spread, so this is a sample that depends on nothing but the numbers: the
 * same ones are kept in any order.
 */
export class Smallest {
  readonly #most: number;
  #room = new Float64Array(FIRST_ROOM);
  #count = 0;
  #limit = Infinity;
  #isCut = false;
  /** Length of the part that was sorted last. */
  #tidied = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Tells whether this would be kept; if not, it need not be added. */
  wants(value: number): boolean {
    return value < this.#limit;
  }

  add(value: number): void {
    if (value >= this.#limit) return;
    this.#room[this.#count] = value;
    this.#count += 1;
    if (this.#count === this.#room.length) this.#makeRoom();
  }

  /** True if anything was left out. */
  get isCut(): boolean {
    this.#tidy();
    return this.#isCut;
  }

  /** The kept numbers, smallest first. */
  values(): Float64Array {
    this.#tidy();
    return this.#room.subarray(0, this.#count);
  }

  /** Sorts, and enlarges the buffer only if needed: most sets are small. */
  #makeRoom(): void {
    this.#tidy();
    const { length } = this.#room;
    if (this.#count * 2 <= length || length >= this.#most * 4) return;
    const room = new Float64Array(Math.min(length * 4, this.#most * 4));
    room.set(this.#room.subarray(0, this.#count));
    this.#room = room;
  }

  #tidy(): void {
    if (this.#count === this.#tidied) return;
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
    this.#tidied = kept;
  }
}

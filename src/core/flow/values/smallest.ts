const FIRST_ROOM = 256;

/**
 * Keeps the smallest of many numbers, each once. As hashes are evenly spread, these are a sample that depends on nothing but what was
 * added: the same values are kept in whatever order they come.
 */
export class Smallest {
  readonly #most: number;
  #room = new Float64Array(FIRST_ROOM);
  #count = 0;
  #limit = Infinity;
  #isCut = false;
  /** So many were there and in order when it was tidied last. */
  #tidied = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Would this be kept? What is not need not be added. */
  wants(value: number): boolean {
    return value < this.#limit;
  }

  add(value: number): void {
    if (value >= this.#limit) return;
    this.#room[this.#count] = value;
    this.#count += 1;
    if (this.#count === this.#room.length) this.#makeRoom();
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

  /** Most have few; room for the rest is made where there are more. */
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

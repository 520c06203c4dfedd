import { HIGH_SIZE } from './value-hasher.ts';

/** Part of the table that may be full. */
const MOST_LOAD = 0.6;

/** Marks with a small number each. A mark may be there several times. Open addressing with linear probing; marks are hashes already. */
export class MarkTable<Numbers extends Uint8Array | Uint16Array | Float64Array> {
  count = 0;
  readonly #create: (size: number) => Numbers;
  #marks: Float64Array;
  #numbers: Numbers;
  /** A bit for the marks of each low number: most marks that are looked for are not there, and this is small. */
  #bits: Int32Array;
  #mask: number;

  constructor(create: (size: number) => Numbers, size = 1024) {
    this.#create = create;
    this.#marks = new Float64Array(size);
    this.#numbers = create(size);
    this.#bits = new Int32Array(size / 4);
    this.#mask = size - 1;
  }

  /** @returns the first place of the mark, for `next` and `at`; -1 where it is not there */
  find(mark: number): number {
    const low = Math.floor(mark / HIGH_SIZE) >>> 0;
    if (!this.mayHave(low)) return -1;
    return this.#findFrom(mark, (low >>> 3) & this.#mask);
  }

  /** Is there a mark with these first 32 bits, or one that looks like it? */
  mayHave(low: number): boolean {
    const bit = low & (this.#mask * 8 + 7);
    return ((this.#bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0;
  }

  /** The next place of the same mark, or -1. */
  next(mark: number, place: number): number {
    return this.#findFrom(mark, (place + 1) & this.#mask);
  }

  at(place: number): number {
    return this.#numbers[place] ?? 0;
  }

  put(place: number, number: number): void {
    this.#numbers[place] = number;
  }

  /** Adds a mark, also where it is there already. */
  add(mark: number, number: number): void {
    if (this.count >= this.#marks.length * MOST_LOAD) this.#grow();
    const low = Math.floor(mark / HIGH_SIZE) >>> 0;
    const bit = low & (this.#mask * 8 + 7);
    this.#bits[bit >>> 5] = (this.#bits[bit >>> 5] ?? 0) | (1 << (bit & 31));
    let place = (low >>> 3) & this.#mask;
    while (this.#marks[place] !== 0) place = (place + 1) & this.#mask;
    this.#marks[place] = mark;
    this.#numbers[place] = number;
    this.count += 1;
  }

  #findFrom(mark: number, from: number): number {
    let place = from;
    for (let found = this.#marks[place]; found !== 0; found = this.#marks[place]) {
      if (found === mark) return place;
      place = (place + 1) & this.#mask;
    }
    return -1;
  }

  #grow(): void {
    const marks = this.#marks;
    const numbers = this.#numbers;
    const size = marks.length * 2;
    this.#marks = new Float64Array(size);
    this.#numbers = this.#create(size);
    this.#bits = new Int32Array(size / 4);
    this.#mask = size - 1;
    this.count = 0;
    for (const [place, mark] of marks.entries()) if (mark !== 0) this.add(mark, numbers[place] ?? 0);
  }
}

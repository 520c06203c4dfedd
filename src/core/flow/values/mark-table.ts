import { HIGH_SIZE } from './value-hasher.ts';

/** Highest load of the table. */
const MOST_LOAD = 0.6;

/** Maps marks to small numbers. A mark may have several entries. Open addressing with linear probing; marks are hashes already. */
export class MarkTable<Numbers extends Uint8Array | Uint16Array | Float64Array> {
  count = 0;
  readonly #create: (size: number) => Numbers;
  #marks: Float64Array;
  #numbers: Numbers;
  /** A bit filter by low numbers: most marks that are looked up are absent, and this is small. */
  #bits: Int32Array;
  #mask: number;

  constructor(create: (size: number) => Numbers, size = 1024) {
    this.#create = create;
    this.#marks = new Float64Array(size);
    this.#numbers = create(size);
    this.#bits = new Int32Array(size / 4);
    this.#mask = size - 1;
  }

  /** @returns the first place of the mark, for `next` and `at`; -1 if it is absent */
  find(mark: number): number {
    const low = Math.floor(mark / HIGH_SIZE) >>> 0;
    if (!this.mayHave(low)) return -1;
    return this.#findFrom(mark, (low >>> 3) & this.#mask);
  }

  /** Tells whether a mark with these first 32 bits may be present. */
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

  /** Adds an entry for a mark, even if it has one already. */
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

/** Memory is made in this size first. */
const FIRST_SIZE = 16 * 1024;

/** Memory of more bytes than this is given back after so many joined frames that did not need it. */
const BIG = 256 * 1024;
const PATIENCE = 1024;

const NOTHING = Buffer.alloc(0);

/**
 * Joins pieces of a frame that came in several chunks, in memory that is used again and again. Its size doubles, so the work is
 * linear in the bytes however many pieces there are.
 */
export class Carry {
  /** How many bytes it has. */
  length = 0;
  #memory: Buffer<ArrayBuffer> = NOTHING;
  #smallOnes = 0;

  /** The last byte it has; undefined where it has none. */
  get last(): number | undefined {
    return this.length === 0 ? undefined : this.#memory[this.length - 1];
  }

  /** Adds a copy of `bytes[start..end)`. */
  add(bytes: Buffer, start: number, end: number): void {
    const length = this.length + end - start;
    if (length > this.#memory.length) this.#grow(length);
    bytes.copy(this.#memory, this.length, start, end);
    this.length = length;
  }

  /** All it has, in memory that is written again by the next `add`. It has nothing from then on. */
  take(): Buffer {
    const taken = this.#memory.subarray(0, this.length);
    this.length = 0;
    return taken;
  }

  /** To be called when what was taken has been read: big memory that is no longer needed goes back. */
  rest(taken: number): void {
    this.#smallOnes = taken > BIG ? 0 : this.#smallOnes + 1;
    if (this.#smallOnes >= PATIENCE && this.#memory.length > BIG) this.clear();
  }

  /** Gives all memory back. Nobody may read what was taken any more. */
  clear(): void {
    giveBack(this.#memory);
    this.#memory = NOTHING;
    this.length = 0;
    this.#smallOnes = 0;
  }

  #grow(length: number): void {
    const small = this.#memory;
    const bigger = Buffer.allocUnsafeSlow(Math.max(FIRST_SIZE, 2 * small.length, length));
    small.copy(bigger, 0, 0, this.length);
    this.#memory = bigger;
    giveBack(small);
  }
}

/** Returns memory at once, instead of leaving that of big frames to the garbage collector to pile up. */
function giveBack(memory: Buffer<ArrayBuffer>): void {
  if (memory.length > 0) memory.buffer.transfer(0);
}

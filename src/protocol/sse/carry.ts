/** Bytes of the first allocation. */
const FIRST_SIZE = 16 * 1024;

/** Memory above this many bytes is freed after so many joined frames that did not need it. */
const BIG = 256 * 1024;
const PATIENCE = 1024;

const NOTHING = Buffer.alloc(0);

/**
 * Joins the pieces of a frame that came in several chunks, in reusable memory. Its size doubles, so the work is linear in the bytes however
 * many pieces there are.
 */
export class Carry {
  /** Bytes it holds. */
  length = 0;
  #memory: Buffer<ArrayBuffer> = NOTHING;
  #smallOnes = 0;

  /** The last byte; undefined if it is empty. */
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

  /** Takes all bytes, in memory that the next `add` overwrites. It is empty afterwards. */
  take(): Buffer {
    const taken = this.#memory.subarray(0, this.length);
    this.length = 0;
    return taken;
  }

  /** Call it when the taken bytes have been read: it frees big memory that is no longer needed. */
  rest(taken: number): void {
    this.#smallOnes = taken > BIG ? 0 : this.#smallOnes + 1;
    if (this.#smallOnes >= PATIENCE && this.#memory.length > BIG) this.clear();
  }

  /** Frees all memory. Taken bytes must not be read any more. */
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

/** Frees memory at once, instead of leaving that of big frames to the garbage collector. */
function giveBack(memory: Buffer<ArrayBuffer>): void {
  if (memory.length > 0) memory.buffer.transfer(0);
}

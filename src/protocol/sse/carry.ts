import { GrowingMemory } from '../growing-memory.ts';

/** Bytes of the first allocation. */
const FIRST_SIZE = 16 * 1024;

/** Memory above this many bytes grows in place, and is freed after so many joined frames that did not need it. */
const BIG = 256 * 1024;
const PATIENCE = 1024;

const NOTHING = Buffer.alloc(0);

/**
 * Joins the pieces of a frame that came in several chunks, in reusable memory. Its size doubles, or it grows in place, so the work is linear
 * in the bytes however many pieces there are.
 */
export class Carry {
  /** Bytes it holds. */
  length = 0;
  #memory: Buffer<ArrayBuffer> = NOTHING;
  #big: GrowingMemory | undefined;
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
    this.#giveBack();
    this.#memory = NOTHING;
    this.length = 0;
    this.#smallOnes = 0;
  }

  #grow(length: number): void {
    if (this.#big !== undefined && length <= this.#big.space) return this.#big.growTo(length);
    const big = length > BIG ? GrowingMemory.reserve(2 * length) : undefined;
    big?.growTo(length);
    const bigger = big?.bytes ?? Buffer.allocUnsafeSlow(Math.max(FIRST_SIZE, 2 * this.#memory.length, length));
    this.#memory.copy(bigger, 0, 0, this.length);
    this.#giveBack();
    this.#memory = bigger;
    this.#big = big;
  }

  /** Frees the memory at once, instead of leaving that of big frames to the garbage collector. */
  #giveBack(): void {
    if (this.#big !== undefined) this.#big.free();
    else if (this.#memory.length > 0) this.#memory.buffer.transfer(0);
    this.#big = undefined;
  }
}

const MIB = 1024 * 1024;

/** Bytes of address space at least, and the step in which real memory is added. */
const SPACE = 64 * MIB;
const STEP = MIB;

/**
 * Memory that grows in place, outside of the heap, and is given back to the system at once. With a series of larger buffers, the allocator
 * would keep much of what is freed.
 */
export class GrowingMemory {
  /** As long as the real memory. A view of it that is used after `free` is empty. */
  readonly bytes: Buffer<ArrayBuffer>;
  readonly #memory: ArrayBuffer;

  private constructor(memory: ArrayBuffer) {
    this.#memory = memory;
    this.bytes = Buffer.from(memory);
  }

  /** @returns undefined if there is no address space for so many bytes */
  static reserve(bytes: number): GrowingMemory | undefined {
    try {
      return new GrowingMemory(new ArrayBuffer(0, { maxByteLength: Math.max(SPACE, bytes) }));
    } catch {
      return undefined;
    }
  }

  /** Bytes that it can have. */
  get space(): number {
    return this.#memory.maxByteLength;
  }

  /** Makes room for so many bytes in all, at most its space. */
  growTo(bytes: number): void {
    if (bytes > this.#memory.byteLength) this.#memory.resize(Math.min(bytes + STEP, this.space));
  }

  free(): void {
    this.#memory.resize(0);
  }
}

/** Frames are put together in memory of so many bytes: a little at first, as most calls are small; then enough that each is worth a write. */
const FIRST_SIZE = 4 * 1024;
const MOST_SIZE = 128 * 1024;

/**
 * Frames that are held, in a row, as bytes: a big call has tens of thousands of them, which as texts of their own would be a multiple of
 * what they say.
 */
export class HeldFrames {
  /** Each with whole frames, the last one with room. */
  #parts: { readonly memory: Buffer; length: number }[] = [];

  add(frame: string): void {
    const part = this.#room(Buffer.byteLength(frame));
    part.length += part.memory.write(frame, part.length);
  }

  /** Gives away all bytes in order, some frames at a time, and has none from then on. */
  drain(visit: (frames: Buffer) => void): void {
    const parts = this.#parts;
    this.#parts = [];
    for (const { memory, length } of parts) visit(memory.subarray(0, length));
  }

  clear(): void {
    this.#parts = [];
  }

  #room(bytes: number): { readonly memory: Buffer; length: number } {
    const last = this.#parts.at(-1);
    if (last !== undefined && last.memory.length - last.length >= bytes) return last;
    const size = last === undefined ? FIRST_SIZE : Math.min(2 * last.memory.length, MOST_SIZE);
    const part = { memory: Buffer.allocUnsafeSlow(Math.max(size, bytes)), length: 0 };
    this.#parts.push(part);
    return part;
  }
}

/** Characters from which text is stored as bytes; below, that does not pay. */
const BIG = 64 * 1024;

/** Matches characters outside of Latin-1. */
const WIDE = /[^\u0000-\u00ff]/;

const MIB = 1024 * 1024;

/** Bytes of address space per piece of memory, and the step in which real memory is added. */
const SPACE = 64 * MIB;
const STEP = MIB;

/**
 * A text that comes in pieces. A big one is stored as bytes outside of the heap, which are freed at once when it is taken: as pieces it
 * would take twice its size until the next collection. The memory grows in place: with a series of larger buffers, the allocator would keep
 * what is freed. Text outside of Latin-1 stays in pieces.
 */
export class HeldText {
  #pieces: string[] = [];
  /** Characters in the pieces. */
  #length = 0;
  #parts: Part[] = [];
  /** The text after the bytes, from the first part on that is not Latin-1. */
  #wide: string[] = [];

  add(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length >= BIG) this.#pack();
  }

  /** Returns the whole text, and keeps nothing. */
  take(): string {
    // Packing first avoids a second copy of the text when it is joined.
    if (this.#parts.length > 0) this.#pack();
    const parts = this.#parts;
    this.#parts = [];
    const packed = parts.map((part) => part.take());
    const rest = [...packed, ...this.#wide, ...this.#pieces];
    this.clear();
    return rest.length === 1 ? (rest[0] as string) : rest.join('');
  }

  clear(): void {
    for (const part of this.#parts) part.free();
    this.#parts = [];
    this.#pieces = [];
    this.#wide = [];
    this.#length = 0;
  }

  #pack(): void {
    const text = this.#pieces.join('');
    this.#pieces = [];
    this.#length = 0;
    if (this.#wide.length > 0 || WIDE.test(text) || !this.#write(text)) this.#wide.push(text);
  }

  /** False if there is no address space. */
  #write(text: string): boolean {
    let part = this.#parts.at(-1);
    if (part === undefined || part.room < text.length) {
      part = reserve(Math.max(SPACE, text.length));
      if (part === undefined) return false;
      this.#parts.push(part);
    }
    part.add(text);
    return true;
  }
}

/** Memory that grows in place. */
class Part {
  readonly #memory: ArrayBuffer;
  readonly #bytes: Buffer<ArrayBuffer>;
  #used = 0;

  constructor(memory: ArrayBuffer) {
    this.#memory = memory;
    this.#bytes = Buffer.from(memory);
  }

  /** Bytes that still fit. */
  get room(): number {
    return this.#memory.maxByteLength - this.#used;
  }

  add(text: string): void {
    const end = this.#used + text.length;
    if (end > this.#memory.byteLength) this.#memory.resize(Math.min(end + STEP, this.#memory.maxByteLength));
    this.#used += this.#bytes.write(text, this.#used, 'latin1');
  }

  take(): string {
    const text = this.#bytes.toString('latin1', 0, this.#used);
    this.free();
    return text;
  }

  free(): void {
    this.#memory.resize(0);
  }
}

function reserve(bytes: number): Part | undefined {
  try {
    return new Part(new ArrayBuffer(0, { maxByteLength: bytes }));
  } catch {
    return undefined;
  }
}

/** Text is kept as bytes from so many characters on: below, it is not worth it. */
const BIG = 64 * 1024;

/** Characters that are not one byte in Latin-1. */
const WIDE = /[^\u0000-\u00ff]/;

const MIB = 1024 * 1024;

/** Bytes of address space that one piece of memory has, and by which it is filled with real memory. */
const SPACE = 64 * MIB;
const STEP = MIB;

/**
 * A text that comes in pieces. A big one is kept as bytes outside of the heap, which are given back at once when it is taken: as pieces it would
 * take its size twice, and be collected who knows when. The memory grows where it is: with larger and larger ones in turn, the allocator
 * keeps what it is given back. Text that is not Latin-1 stays as pieces.
 */
export class HeldText {
  #pieces: string[] = [];
  /** Of the pieces. */
  #length = 0;
  #parts: Part[] = [];
  /** What came after the bytes, from the first text on that is not Latin-1. */
  #wide: string[] = [];

  add(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length >= BIG) this.#pack();
  }

  /** The whole text; nothing is left of it here. */
  take(): string {
    // Put together with what is left, it would be there twice.
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

  /** False: there is no address space. */
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

/** A piece of memory that grows in place. */
class Part {
  readonly #memory: ArrayBuffer;
  readonly #bytes: Buffer<ArrayBuffer>;
  #used = 0;

  constructor(memory: ArrayBuffer) {
    this.#memory = memory;
    this.#bytes = Buffer.from(memory);
  }

  /** Bytes that it may still take. */
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

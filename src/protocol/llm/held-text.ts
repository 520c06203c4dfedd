/** Text is kept as bytes from so many characters on: below, it is not worth it. */
const BIG = 64 * 1024;

/** Characters that are not one byte in Latin-1. */
const WIDE = /[^\u0000-\u00ff]/;

const FIRST_SIZE = 256 * 1024;

/**
 * A text that comes in pieces. A big one is kept as bytes outside of the heap, which are given back at once when it is taken: as pieces it would
 * take its size twice, and be collected who knows when. Text that is not Latin-1 stays as pieces.
 */
export class HeldText {
  #pieces: string[] = [];
  /** Of the pieces. */
  #length = 0;
  #memory: Buffer<ArrayBuffer> | undefined;
  #used = 0;
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
    if (this.#memory !== undefined) this.#pack();
    const packed = this.#memory?.toString('latin1', 0, this.#used) ?? '';
    const rest = [...this.#wide, ...this.#pieces];
    this.clear();
    return rest.length === 0 ? packed : [packed, ...rest].join('');
  }

  clear(): void {
    giveBack(this.#memory);
    this.#memory = undefined;
    this.#used = 0;
    this.#pieces = [];
    this.#wide = [];
    this.#length = 0;
  }

  #pack(): void {
    const text = this.#pieces.join('');
    this.#pieces = [];
    this.#length = 0;
    if (this.#wide.length > 0 || WIDE.test(text)) this.#wide.push(text);
    else this.#used += this.#room(text.length).write(text, this.#used, 'latin1');
  }

  #room(bytes: number): Buffer {
    const known = this.#memory;
    if (known !== undefined && known.length - this.#used >= bytes) return known;
    let size = known?.length ?? FIRST_SIZE;
    while (size < this.#used + bytes) size *= 2;
    const memory = Buffer.allocUnsafeSlow(size) as Buffer<ArrayBuffer>;
    known?.copy(memory, 0, 0, this.#used);
    giveBack(known);
    this.#memory = memory;
    return memory;
  }
}

function giveBack(memory: Buffer<ArrayBuffer> | undefined): void {
  memory?.buffer.transfer(0);
}

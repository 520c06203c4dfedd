import { GrowingMemory } from '../growing-memory.ts';

/** Characters from which text is stored as bytes; below, that does not pay. */
const BIG = 64 * 1024;

/** Matches characters outside of Latin-1. */
const WIDE = /[^\u0000-\u00ff]/;

/**
 * A text that comes in pieces. A big one is stored as bytes outside of the heap, which are freed at once when it is taken: as pieces it
 * would take twice its size until the next collection. Text outside of Latin-1 stays in pieces.
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
    const text = this.read();
    this.clear();
    return text;
  }

  /** Returns the whole text. */
  read(): string {
    // Packing first avoids a second copy of the text when it is joined.
    if (this.#parts.length > 0) this.#pack();
    const all = [...this.#parts.map((part) => part.text(0, part.used)), ...this.#wide, ...this.#pieces];
    return all.length === 1 ? (all[0] as string) : all.join('');
  }

  /** Tells whether the whole text is this one; a big text is not built for that. */
  isSame(text: string): boolean {
    let at = 0;
    const follows = (piece: string): boolean => {
      const isNext = text.startsWith(piece, at);
      at += piece.length;
      return isNext;
    };
    for (const part of this.#parts)
      for (let from = 0; from < part.used; from += BIG)
        if (!follows(part.text(from, Math.min(from + BIG, part.used)))) return false;
    return [...this.#wide, ...this.#pieces].every(follows) && at === text.length;
  }

  /** Characters of the whole text. */
  get length(): number {
    const lengths = [...this.#parts.map(({ used }) => used), ...this.#wide.map((piece) => piece.length), this.#length];
    return lengths.reduce((sum, length) => sum + length, 0);
  }

  /** Returns its characters from `start` to `end`, or to its own end. */
  slice(start: number, end: number): string {
    // Many small pieces would be visited each time.
    if (this.#pieces.length > 1) this.#pieces = [this.#pieces.join('')];
    let at = 0;
    let text = '';
    for (const part of this.#parts) {
      if (start < at + part.used && end > at) text += part.text(Math.max(0, start - at), Math.min(part.used, end - at));
      at += part.used;
    }
    for (const piece of [...this.#wide, ...this.#pieces]) {
      if (start < at + piece.length && end > at) text += piece.slice(Math.max(0, start - at), end - at);
      at += piece.length;
    }
    return text;
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
      part = Part.reserve(text.length);
      if (part === undefined) return false;
      this.#parts.push(part);
    }
    part.add(text);
    return true;
  }
}

/** Latin-1 text as bytes. */
class Part {
  readonly #memory: GrowingMemory;
  #used = 0;

  private constructor(memory: GrowingMemory) {
    this.#memory = memory;
  }

  static reserve(bytes: number): Part | undefined {
    const memory = GrowingMemory.reserve(bytes);
    return memory && new Part(memory);
  }

  /** Characters that still fit. */
  get room(): number {
    return this.#memory.space - this.#used;
  }

  get used(): number {
    return this.#used;
  }

  add(text: string): void {
    this.#memory.growTo(this.#used + text.length);
    this.#used += this.#memory.bytes.write(text, this.#used, 'latin1');
  }

  text(start: number, end: number): string {
    return this.#memory.bytes.toString('latin1', start, end);
  }

  free(): void {
    this.#memory.free();
  }
}

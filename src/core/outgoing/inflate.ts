/** Base lengths and distances of RFC 1951, 3.2.5, and their extra bits. */
const LENGTHS = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCES = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289,
  16385, 24577,
];
const CODE_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const LONGEST_CODE = 15;

/** A canonical Huffman code: how many symbols each length has, and the symbols in their order. */
interface Code {
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
}

/**
 * Decompresses DEFLATE data (RFC 1951) up to where it ends, is faulty, or has given `most` bytes: what is searched needs no more. The runtime's
 * own decoder is no pure code.
 *
 * @returns what it becomes, and the number of bytes that were read of it
 */
export function inflate(data: Uint8Array, most: number): { readonly output: Uint8Array; readonly end: number } {
  const reader = new Reader(data, most);
  while (reader.block());
  return { output: reader.output.subarray(0, reader.length), end: reader.at };
}

class Reader {
  readonly output: Uint8Array;
  length = 0;
  readonly #data: Uint8Array;
  at = 0;
  #bits = 0;
  #held = 0;

  constructor(data: Uint8Array, most: number) {
    this.#data = data;
    this.output = new Uint8Array(most);
  }

  /** Reads one block. False if there is nothing more to read. */
  block(): boolean {
    const isLast = this.#take(1) !== 0;
    const type = this.#take(2);
    const isWhole = type === 0 ? this.#stored() : type === 1 ? this.#coded(fixed()) : type === 2 ? this.#dynamic() : false;
    return isWhole && !isLast && this.at < this.#data.length;
  }

  /** The next bits, the lowest first; -1 behind the end. */
  #take(count: number): number {
    while (this.#held < count) {
      if (this.at >= this.#data.length) return -1;
      this.#bits |= (this.#data[this.at] as number) << this.#held;
      this.at += 1;
      this.#held += 8;
    }
    const value = this.#bits & ((1 << count) - 1);
    this.#bits >>>= count;
    this.#held -= count;
    return value;
  }

  #symbol({ counts, symbols }: Code): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= LONGEST_CODE; length += 1) {
      const bit = this.#take(1);
      if (bit < 0) return -1;
      code |= bit;
      const count = counts[length] as number;
      if (code - first < count) return symbols[index + code - first] as number;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    return -1;
  }

  #put(byte: number): boolean {
    if (this.length >= this.output.length) return false;
    this.output[this.length] = byte;
    this.length += 1;
    return true;
  }

  #stored(): boolean {
    this.#bits = 0;
    this.#held = 0;
    const size = (this.#data[this.at] ?? 0) | ((this.#data[this.at + 1] ?? 0) << 8);
    this.at += 4;
    for (const end = this.at + size; this.at < end; this.at += 1) {
      if (this.at >= this.#data.length || !this.#put(this.#data[this.at] as number)) return false;
    }
    return true;
  }

  #coded({ literals, distances }: { readonly literals: Code; readonly distances: Code }): boolean {
    for (;;) {
      const symbol = this.#symbol(literals);
      if (symbol < 0) return false;
      if (symbol === 256) return true;
      if (symbol < 256) {
        if (!this.#put(symbol)) return false;
        continue;
      }
      const length = (LENGTHS[symbol - 257] ?? -1) + this.#take(LENGTH_BITS[symbol - 257] ?? 0);
      const far = this.#symbol(distances);
      const distance = (DISTANCES[far] ?? Infinity) + this.#take(far < 4 ? 0 : (far >> 1) - 1);
      if (length < 3 || distance > this.length) return false;
      for (let left = length; left > 0; left -= 1) if (!this.#put(this.output[this.length - distance] as number)) return false;
    }
  }

  #dynamic(): boolean {
    const [literals, distances, codes] = [this.#take(5) + 257, this.#take(5) + 1, this.#take(4) + 4];
    const lengths = new Uint8Array(19);
    for (const place of CODE_ORDER.slice(0, codes)) lengths[place] = Math.max(0, this.#take(3));
    const code = toCode(lengths);
    const all = new Uint8Array(literals + distances);
    for (let at = 0; at < all.length;) {
      const symbol = this.#symbol(code);
      if (symbol < 0) return false;
      if (symbol < 16) {
        all[at] = symbol;
        at += 1;
        continue;
      }
      const value = symbol === 16 ? (all[at - 1] ?? 0) : 0;
      const count = symbol === 16 ? 3 + this.#take(2) : symbol === 17 ? 3 + this.#take(3) : 11 + this.#take(7);
      all.fill(value, at, at + count);
      at += Math.max(1, count);
    }
    return this.#coded({ literals: toCode(all.subarray(0, literals)), distances: toCode(all.subarray(literals)) });
  }
}

function toCode(lengths: Uint8Array): Code {
  const counts = new Uint16Array(LONGEST_CODE + 1);
  for (const length of lengths) counts[length] = (counts[length] as number) + 1;
  counts[0] = 0;
  const places = new Uint16Array(LONGEST_CODE + 2);
  for (let length = 1; length <= LONGEST_CODE; length += 1)
    places[length + 1] = (places[length] as number) + (counts[length] as number);
  const symbols = new Uint16Array(lengths.length);
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue;
    symbols[places[length] as number] = symbol;
    places[length] = (places[length] as number) + 1;
  }
  return { counts, symbols };
}

let known: { readonly literals: Code; readonly distances: Code } | undefined;

/** The fixed codes of RFC 1951, 3.2.6. */
function fixed(): { readonly literals: Code; readonly distances: Code } {
  const literals = new Uint8Array(288).fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280);
  return (known ??= { literals: toCode(literals), distances: toCode(new Uint8Array(30).fill(5)) });
}

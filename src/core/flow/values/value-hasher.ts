import { createHash } from 'node:crypto';

const ROUNDS = 27;

/** Bits of a value's mark beyond the first 32: the mark is then an integer that a double holds. */
const HIGH_BITS = 21;
export const HIGH_SIZE = 2 ** HIGH_BITS;

/** Bytes of a sealed mark. */
export const SEALED_BYTES = 8;

/**
 * Hashes values and seals the hashes. A *mark* is a hash of 53 bits that is fast to compute and to roll, for a process's memory only. It is
 * stored *sealed*: enciphered as a block of its own, so that stored marks tell nothing without the key, not even that two of them are
 * neighbours.
 */
export class ValueHasher {
  /** Random numbers for the two halves of a rolling hash, indexed by the low ten bits of a character mixed with its others. */
  readonly low: Int32Array;
  readonly high: Int32Array;
  /** Random odd numbers to mix with. */
  readonly salts: Int32Array;
  readonly #speck: Speck;

  /** @param key 32 secret bytes, the same in all processes that share remembered values */
  constructor(key: Uint8Array) {
    this.low = randomNumbers(key, 'low', 1024);
    this.high = randomNumbers(key, 'high', 1024);
    this.salts = randomNumbers(key, 'salts', 16).map((salt) => salt | 1);
    this.#speck = new Speck(randomNumbers(key, 'seal', 16).subarray(0, 4));
  }

  /** The mark of a run of digits. @param value below 2^31 */
  numberMark(value: number): number {
    const { salts } = this;
    const low = mix(value ^ (salts[0] ?? 0), salts[1] ?? 1);
    return markOf(low, mix(value ^ (salts[2] ?? 0), salts[3] ?? 1));
  }

  /** Enciphers marks. @returns 8 bytes for each, sorted by the sealed bytes, which hides the order in the text */
  seal(marks: Float64Array): Uint8Array {
    const sealed = new BigUint64Array(marks.length);
    const halves = new Uint32Array(2);
    marks.forEach((mark, index) => {
      halves[0] = Math.floor(mark / HIGH_SIZE);
      halves[1] = mark % HIGH_SIZE;
      this.#speck.encipher(halves);
      sealed[index] = (BigInt(halves[1]) << 32n) | BigInt(halves[0]);
    });
    sealed.sort();
    const bytes = new Uint8Array(sealed.length * SEALED_BYTES);
    const view = new DataView(bytes.buffer);
    sealed.forEach((word, index) => view.setBigUint64(index * SEALED_BYTES, word, true));
    return bytes;
  }

  /** Deciphers marks; those of another key, and damaged ones, are left out. */
  open(bytes: Uint8Array): Float64Array {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const marks = new Float64Array(Math.floor(bytes.length / SEALED_BYTES));
    const halves = new Uint32Array(2);
    let count = 0;
    for (let offset = 0; offset + SEALED_BYTES <= bytes.length; offset += SEALED_BYTES) {
      halves[0] = view.getUint32(offset, true);
      halves[1] = view.getUint32(offset + 4, true);
      this.#speck.decipher(halves);
      const high = halves[1];
      if (high >= HIGH_SIZE) continue;
      marks[count] = halves[0] * HIGH_SIZE + high;
      count += 1;
    }
    return marks.subarray(0, count);
  }
}

/** Joins the two halves of a mark: never 0, which stands for none. */
export function markOf(low: number, high: number): number {
  return (low >>> 0) * HIGH_SIZE + (high >>> (32 - HIGH_BITS)) || 1;
}

function randomNumbers(key: Uint8Array, label: string, count: number): Int32Array {
  const numbers = new Int32Array(count);
  for (let start = 0; start < count; start += 16) {
    const digest = createHash('sha512').update(`clawai values ${label} ${start}\0`).update(key).digest();
    for (let index = 0; index < 16; index += 1) numbers[start + index] = digest.readInt32LE(index * 4);
  }
  return numbers;
}

/** Rotates a 32-bit number to the left, by 1 to 31 bits. */
export function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

/** Mixes all bits of a 32-bit number with an odd salt. */
export function mix(value: number, salt: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), salt);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return mixed ^ (mixed >>> 13);
}

/**
 * The block cipher Speck64/128 (Beaulieu et al., "The SIMON and SPECK families of lightweight block ciphers", 2013). It is small, fast in
 * 32-bit arithmetic, and its block has the size of a mark.
 */
export class Speck {
  readonly #keys: Int32Array;

  /** @param key four words, the paper's last one first */
  constructor(key: Int32Array) {
    this.#keys = expandKey(key);
  }

  /** @param block two words, the paper's last one first; changed in place */
  encipher(block: Uint32Array): void {
    let x = block[1] ?? 0;
    let y = block[0] ?? 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      x = ((rotate(x, 24) + y) | 0) ^ (this.#keys[round] ?? 0);
      y = rotate(y, 3) ^ x;
    }
    block[0] = y;
    block[1] = x;
  }

  decipher(block: Uint32Array): void {
    let x = block[1] ?? 0;
    let y = block[0] ?? 0;
    for (let round = ROUNDS - 1; round >= 0; round -= 1) {
      y = rotate(y ^ x, 29);
      x = rotate(((x ^ (this.#keys[round] ?? 0)) - y) | 0, 8);
    }
    block[0] = y;
    block[1] = x;
  }
}

function expandKey(key: Int32Array): Int32Array {
  const keys = new Int32Array(ROUNDS);
  const rest = [...key.subarray(1)];
  let current = key[0] ?? 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    keys[round] = current;
    const next = ((current + rotate(rest[round % 3] ?? 0, 24)) | 0) ^ round;
    rest[round % 3] = next;
    current = rotate(current, 3) ^ next;
  }
  return keys;
}

import { rotate } from './bits.ts';

const ROUNDS = 27;

/**
 * The block cipher Speck64/128 (Beaulieu et al., "The SIMON and SPECK families of lightweight block ciphers", 2013). It is small, quick in numbers of 32
 * bits, and its blocks are as large as what it is used for.
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

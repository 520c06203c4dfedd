/** Turns a number of 32 bits to the left, by 1 to 31 of them. */
export function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

/** Mixes all bits of a number of 32 into all others, with an odd salt. */
export function mix(value: number, salt: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), salt);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return mixed ^ (mixed >>> 13);
}

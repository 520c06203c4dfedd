import { describe, expect, it } from 'vitest';
import { Speck } from '../../../../src/core/flow/values/value-hasher.ts';

describe('Speck', () => {
  it('does what the test vector of its paper says', () => {
    const speck = new Speck(Int32Array.of(0x03020100, 0x0b0a0908, 0x13121110, 0x1b1a1918));
    const block = Uint32Array.of(0x7475432d, 0x3b726574);
    speck.encipher(block);
    expect([...block]).toEqual([0x454e028b, 0x8c6fa548]);
    speck.decipher(block);
    expect([...block]).toEqual([0x7475432d, 0x3b726574]);
  });
});

import { describe, expect, it } from 'vitest';
import { mix, rotate } from '../../../../src/core/flow/values/value-hasher.ts';

describe('rotate', () => {
  it.each([
    [0x12345678, 8, 0x34567812],
    [1, 31, 0x80000000 | 0],
    [-1, 5, -1],
  ])('%d by %d', (value, bits, turned) => {
    expect(rotate(value, bits)).toBe(turned);
  });
});

describe('mix', () => {
  it('gives numbers that are near each other results that are not', () => {
    const mixed = Array.from({ length: 1000 }, (_, index) => mix(index, 0x9e3779b1) >>> 24);
    expect(new Set(mixed).size).toBeGreaterThan(230);
  });
});

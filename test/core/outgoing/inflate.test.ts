import fc from 'fast-check';
import { constants, deflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { inflate } from '../../../src/core/outgoing/inflate.ts';

it('reads what zlib writes, with any of its strategies', () => {
  const strategy = fc.constantFrom(constants.Z_DEFAULT_STRATEGY, constants.Z_FIXED, constants.Z_HUFFMAN_ONLY, constants.Z_RLE);
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 5000 }),
    fc.array(fc.constantFrom(1, 2, 3, 200), { maxLength: 5000 }).map((list) => Uint8Array.from(list)),
  );
  fc.assert(
    fc.property(bytes, strategy, fc.integer({ min: 0, max: 9 }), (data, how, level) => {
      expect(Buffer.from(inflate(deflateRawSync(data, { strategy: how, level }), 10_000).output)).toEqual(Buffer.from(data));
    }),
    { numRuns: 200 },
  );
});

it('ends at the bound, and takes anything', () => {
  expect(inflate(deflateRawSync(Buffer.alloc(1_000_000)), 1000).output).toHaveLength(1000);
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (data) => inflate(data, 1000).output.length <= 1000));
});

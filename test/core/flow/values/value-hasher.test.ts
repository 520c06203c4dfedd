import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ValueHasher } from '../../../../src/core/flow/values/value-hasher.ts';

const hasher = new ValueHasher(new Uint8Array(32).fill(1));
const marks = Float64Array.from({ length: 500 }, (_, index) => hasher.numberMark(100_000_000 + index * 77));

describe('ValueHasher', () => {
  it('opens what it sealed, in whatever order', () => {
    expect([...hasher.open(hasher.seal(marks))].sort()).toEqual([...marks].sort());
    expect(hasher.seal(marks.toReversed())).toEqual(hasher.seal(marks));
  });

  it('opens what another process with the same key sealed', () => {
    expect([...new ValueHasher(new Uint8Array(32).fill(1)).open(hasher.seal(marks))].sort()).toEqual([...marks].sort());
  });

  it('opens nothing that another key sealed', () => {
    // One of 2048 passes by chance, as a mark that nothing has.
    const opened = new ValueHasher(new Uint8Array(32).fill(2)).open(hasher.seal(marks));
    expect(opened.length).toBeLessThan(5);
    expect([...opened].filter((mark) => marks.includes(mark))).toEqual([]);
  });

  it('gives each number another mark', () => {
    expect(new Set(marks).size).toBe(marks.length);
  });

  it('opens any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(hasher.open(bytes).length).toBeLessThanOrEqual(bytes.length / 8);
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { weightOf } from '../../../src/gate/session/value-provenance.ts';

describe('weightOf', () => {
  it('counts texts, keys and values', () => {
    expect(weightOf({}, 1000)).toBe(16);
    expect(weightOf({ key: 'text', list: [1, true, null] }, 1000)).toBe(16 + 3 + 16 + 4 + 4 + 16 + 3 * 16);
  });

  it('stops early', () => {
    const list = Array.from({ length: 100_000 }, () => ({ a: 'x'.repeat(10) }));
    expect(weightOf({ list }, 1000)).toBeGreaterThan(1000);
    expect(weightOf({ list }, 10_000_000)).toBe(16 + 4 + 16 + 100_000 * (16 + 1 + 16 + 10));
  });

  it('property: is no less than the characters of the texts, or says that it is more than asked about', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.array(fc.string())), fc.nat(2000), (args, most) => {
        const length = Object.entries(args).reduce((sum, [key, texts]) => sum + key.length + texts.join('').length, 0);
        const weight = weightOf(args as JsonObject, most);
        expect(weight > most || weight >= length).toBe(true);
      }),
    );
  });
});

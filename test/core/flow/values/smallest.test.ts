import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Smallest } from '../../../../src/core/flow/values/smallest.ts';

describe('Smallest', () => {
  it('keeps the smallest, each once, in whatever order they come', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50)), fc.integer({ min: 1, max: 8 }), (numbers, most) => {
        const smallest = new Smallest(most);
        for (const number of numbers) if (smallest.wants(number)) smallest.add(number);
        const all = [...new Set(numbers)].sort((first, second) => first - second);
        expect([...smallest.values()]).toEqual(all.slice(0, most));
        expect(smallest.isCut).toBe(all.length > most);
      }),
    );
  });
});

/** @module-tag long */
import { expect, it } from 'vitest';
import { GROWTH_CASES } from './growth-cases.ts';
import { growthOf, MOST_GROWTH } from './growth.bench.ts';

it.each(GROWTH_CASES)('grows as its size does: $name', (one) => {
  expect(growthOf(one)).toBeLessThan(one.most ?? MOST_GROWTH);
});

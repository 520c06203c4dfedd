import { describe, expect, it } from 'vitest';
import {
  CONCEPTS,
  isEmpty,
  meets,
  NO_CONCEPTS,
  toConceptSet,
  union,
  weightOf,
} from '../../../../src/core/detect/engine/concepts.ts';

describe('concepts', () => {
  it('each has a bit of its own', () => {
    expect(new Set(CONCEPTS.map((concept) => JSON.stringify(toConceptSet([concept])))).size).toBe(CONCEPTS.length);
  });

  it('what is none is a fault of ours', () => {
    expect(() => toConceptSet(['nonsense'])).toThrow('"nonsense" is no concept');
  });

  it('sets meet where they have one in common', () => {
    const both = union(toConceptSet(['send']), toConceptSet(['samplefile']));
    expect(meets(both, toConceptSet(['samplefile']))).toBe(true);
    expect(meets(both, toConceptSet(['read']))).toBe(false);
    expect([isEmpty(NO_CONCEPTS), isEmpty(both)]).toEqual([true, false]);
  });

  it('each is weighed by itself', () => {
    const weights = CONCEPTS.map((_, index) => 1 + index);
    expect(CONCEPTS.map((concept) => weightOf(toConceptSet([concept]), weights))).toEqual(weights);
    expect(weightOf(toConceptSet([...CONCEPTS]), weights)).toBe(weights.reduce((sum, weight) => sum + weight));
    expect(weightOf(NO_CONCEPTS, weights)).toBe(0);
  });
});

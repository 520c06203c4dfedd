import { describe, expect, it } from 'vitest';
import { CONCEPTS, isEmpty, meets, NO_CONCEPTS, toConceptSet, union } from '../../../../src/core/detect/engine/concepts.ts';

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
});

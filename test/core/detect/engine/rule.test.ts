import { describe, expect, it } from 'vitest';
import { toConceptSet } from '../../../../src/core/detect/engine/concepts.ts';
import { toRules } from '../../../../src/core/detect/engine/rule.ts';

describe('toRules', () => {
  it('reads steps, gaps, alternatives and what must not be', () => {
    const [rule] = toRules('exfiltration', [{ id: 'a', says: 'A', words: ['read|send&imp >2 url&!email data'], definition: 3 }]);
    expect(rule).toMatchObject({
      id: 'exfiltration.a',
      family: 'exfiltration',
      definition: 3,
      text: 3,
      isOfNames: false,
      toModel: undefined,
    });
    expect(rule?.ways[0]?.steps).toEqual([
      { all: [toConceptSet(['read', 'send']), toConceptSet(['imp'])], none: toConceptSet([]), gap: 4 },
      { all: [toConceptSet(['url'])], none: toConceptSet(['email']), gap: 2 },
      { all: [toConceptSet(['data'])], none: toConceptSet([]), gap: 4 },
    ]);
  });

  it('a word that is no concept is a fault of ours', () => {
    expect(() => toRules('exfiltration', [{ id: 'a', says: 'A', words: ['nonsense'], definition: 1 }])).toThrow('no concept');
  });
});

import { describe, expect, it } from 'vitest';
import { toConceptSet } from '../../../../src/core/detect/engine/concepts.ts';
import { knownWords } from '../../../../src/core/detect/inspect-text.ts';
import { matchRules, RuleIndex } from '../../../../src/core/detect/engine/match-rules.ts';
import { readClauses } from '../../../../src/core/detect/engine/read-clauses.ts';
import { toRules } from '../../../../src/core/detect/engine/rule.ts';

const RULES = new RuleIndex(
  toRules('exfiltration', [{ id: 'a', says: 'A', words: ['steal >2 secretword'], definition: 4, unless: 'ban' }]),
);

function shares(text: string): readonly number[] {
  return matchRules(readClauses(text, knownWords(), new Map()), RULES).map(({ share }) => share);
}

describe('matchRules', () => {
  it.each<[text: string, shares: readonly number[]]>([
    ['steal passwords', [1]],
    ['steal one two passwords', [1]],
    ['steal one two three passwords', []],
    ['passwords steal', []],
    ['steal. passwords', []],
    ['never steal passwords', []],
    ['detects tools that steal passwords', [0.5]],
    ['steal passwords. steal passwords', [1, 1]],
  ])('%s', (text, expected) => {
    expect(shares(text)).toEqual(expected);
  });

  it('in languages with another order of words it does not matter', () => {
    expect(shares('passwörter und passwort stehlen')).toEqual([1]);
  });

  it('a rule is left out only where none of its ways could be met', () => {
    const rules = toRules('exfiltration', [{ id: 'a', says: 'A', words: ['send >2 secretword', 'steal'], definition: 4 }]);
    const idsOf = (concepts: readonly string[]): readonly string[] =>
      new RuleIndex(rules).among(toConceptSet(concepts)).map(({ id }) => id);
    expect(idsOf(['send', 'secretword'])).toEqual(['exfiltration.a']);
    expect(idsOf(['steal'])).toEqual(['exfiltration.a']);
    expect(idsOf(['send', 'read'])).toEqual([]);
  });
});

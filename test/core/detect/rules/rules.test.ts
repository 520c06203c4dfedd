import { describe, expect, it } from 'vitest';
import { knownWords } from '../../../../src/core/detect/engine/known-words.ts';
import { matchRules, RuleIndex } from '../../../../src/core/detect/engine/match-rules.ts';
import { readClauses } from '../../../../src/core/detect/engine/read-clauses.ts';
import { RULES } from '../../../../src/core/detect/rules/rules.ts';
import { RULE_SAMPLES } from './rule-samples.ts';

const INDEX = new RuleIndex(RULES.filter(({ isOfNames }) => !isOfNames));
const NAMES = new Map([['pay_bill', 'foreign']] as const);

function rulesIn(text: string): readonly string[] {
  return matchRules(readClauses(text.toLowerCase(), knownWords(), NAMES), INDEX).map(({ rule }) => rule.id);
}

describe('rules', () => {
  it('each has an id of its own, in its family', () => {
    expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
    for (const { id, family } of RULES) expect(id.startsWith(`${family}.`)).toBe(true);
  });

  it('each that is about sentences has a text that it hits', () => {
    expect(
      RULES.filter(({ isOfNames }) => !isOfNames)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(Object.keys(RULE_SAMPLES).toSorted());
  });

  it.each(Object.entries(RULE_SAMPLES))('%s', (id, { hit, miss }) => {
    expect(rulesIn(hit)).toContain(id);
    expect(rulesIn(miss)).not.toContain(id);
  });
});

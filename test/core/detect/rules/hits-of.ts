import { knownWords } from '../../../../src/core/detect/inspect-text.ts';
import { matchRules, RuleIndex } from '../../../../src/core/detect/engine/match-rules.ts';
import { readClauses } from '../../../../src/core/detect/engine/read-clauses.ts';
import type { Rule } from '../../../../src/core/detect/engine/rule.ts';

const NAMES = new Map([['pay_bill', 'foreign']] as const);

/** Ids of the rules that hit a text. */
export function hitsOf(rules: readonly Rule[], text: string): readonly string[] {
  return matchRules(readClauses(text.toLowerCase(), knownWords(), NAMES), new RuleIndex(rules)).map(({ rule }) => rule.id);
}

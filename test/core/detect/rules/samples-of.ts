import type { Rule } from '../../../../src/core/detect/engine/rule.ts';
import { hitsOf } from './hits-of.ts';
import { RULE_SAMPLES } from './rule-samples.ts';

/** A rule, and whether it hits the text that it has to and the one that it has to leave alone. */
export interface RuleSample {
  readonly id: string;
  readonly hits: () => { readonly hit: boolean; readonly miss: boolean };
}

/** The samples of these rules, as far as they are about texts; each is held against all of them together. */
export function samplesOf(all: readonly Rule[]): readonly RuleSample[] {
  const rules = all.filter(({ isOfNames }) => !isOfNames);
  return rules.map(({ id }) => {
    const { hit = '', miss = '' } = RULE_SAMPLES[id] ?? {};
    return { id, hits: () => ({ hit: hitsOf(rules, hit).includes(id), miss: hitsOf(rules, miss).includes(id) }) };
  });
}

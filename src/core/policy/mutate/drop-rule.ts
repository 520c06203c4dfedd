import type { Mutation } from './mutant.ts';
import { quoted } from './rule-changes.ts';

/** Each rule gone. The others keep their numbers, by which fixtures may name them. */
export const dropRule: Mutation = {
  kind: 'drop-rule',
  changes: (policy) =>
    policy.rules.map((rule, place) => ({
      path: ['rule', rule.index],
      what: `without ${quoted(rule)}`,
      need: `a call that ${quoted(rule)} decides, and "expectedRule" where another would decide the same`,
      policy: { ...policy, rules: policy.rules.toSpliced(place, 1) },
      rule: place,
      isDropped: true,
    })),
};

import type { Change, Mutation } from './mutant.ts';
import { quoted } from './rule-changes.ts';

/** Neighbours the other way round. Those with one action are left: whichever is first, each call is decided the same. */
export const swapRules: Mutation = {
  kind: 'swap-rules',
  changes: (policy) =>
    policy.rules.flatMap((rule, place): readonly Change[] => {
      const next = policy.rules[place + 1];
      if (next === undefined || next.action === rule.action) return [];
      const rules = policy.rules.with(place, { ...next, index: rule.index }).with(place + 1, { ...rule, index: next.index });
      return [
        {
          path: ['rule', rule.index],
          what: `${quoted(rule)} behind ${quoted(next)}`,
          need: `a call that ${quoted(rule)} and ${quoted(next)} both match`,
          policy: { ...policy, rules },
          swapped: place,
        },
      ];
    }),
};

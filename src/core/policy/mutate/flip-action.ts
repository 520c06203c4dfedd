import { ACTIONS } from '../../decision.ts';
import type { Mutation } from './mutant.ts';
import { changesOfRules, quoted } from './rule-changes.ts';

/** Each rule with another action. */
export const flipAction: Mutation = {
  kind: 'flip-action',
  changes: (policy) =>
    changesOfRules(policy, (rule) =>
      ACTIONS.filter((action) => action !== rule.action).map((action) => ({
        rule: { ...rule, action },
        path: ['action'],
        what: `${quoted(rule)}: action = "${action}" for "${rule.action}"`,
        need: `a call that ${quoted(rule)} decides, and "expected": "${rule.action}"`,
      })),
    ),
};

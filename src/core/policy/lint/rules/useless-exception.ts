import { flip } from '../../match-context.ts';
import { areConditionsDisjoint } from '../../relation/condition-relation.ts';
import { modeOf, withMethod } from '../../relation/rule-relation.ts';
import type { LintRule } from '../finding.ts';
import { ruleName } from '../rule-name.ts';

/** An `unless` that excepts nothing. */
export const uselessException: LintRule = {
  id: 'useless-exception',
  severity: 'warning',
  summary: 'An "unless" holds for no call that its rule is about.',
  *find({ policy }) {
    for (const rule of policy.rules) {
      if (rule.unless === undefined) continue;
      const mode = modeOf(rule);
      if (!areConditionsDisjoint(withMethod(rule), rule.unless, { inner: mode, outer: flip(mode) })) continue;
      yield {
        path: ['rule', rule.index, 'unless'],
        message: `the "unless" of ${ruleName(rule)} excepts nothing: no call that the rule is about is one of these`,
        hint: 'make it a part of what the rule is about, or remove it',
      };
    }
  },
};

import type { LintRule } from '../finding.ts';
import { ruleName } from '../rule-name.ts';

/** A message is what the model is told with a denial. */
export const unheardMessage: LintRule = {
  id: 'unheard-message',
  severity: 'info',
  summary: 'A rule that allows has a message, which nobody is told.',
  *find({ policy }) {
    for (const rule of policy.rules) {
      if (rule.action !== 'allow' || rule.message === undefined) continue;
      yield {
        path: ['rule', rule.index, 'message'],
        message: `nobody is told the message of ${ruleName(rule)}: it goes with a denial`,
        hint: 'description = "…" says what a rule is for',
      };
    }
  },
};

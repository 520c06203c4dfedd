import { coversAsWritten } from '../../relation/rule-relation.ts';
import type { LintRule } from '../finding.ts';
import { actionWord, ruleName } from '../rule-name.ts';

/** Two rules about the same calls that say different things. */
export const contradictoryRule: LintRule = {
  id: 'contradictory-rule',
  severity: 'error',
  summary: 'Two rules match the same calls and decide them differently.',
  *find({ policy, covers }) {
    for (const rule of policy.rules) {
      const above = covers.firstAbove(rule);
      if (above === undefined || above.action === rule.action || !coversAsWritten(rule, above)) continue;
      yield {
        path: ['rule', rule.index],
        message: `${ruleName(rule)} ${actionWord(rule)} what ${ruleName(above)} ${actionWord(above)}, and never decides`,
        hint: 'keep the one that is meant',
        related: [{ path: ['rule', above.index], message: `${ruleName(above)} ${actionWord(above)} the same calls` }],
      };
    }
  },
};

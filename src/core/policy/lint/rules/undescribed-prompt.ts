import type { LintRule } from '../finding.ts';
import { ruleName } from '../rule-name.ts';

/** People are asked with a rule's description. */
export const undescribedPrompt: LintRule = {
  id: 'undescribed-prompt',
  severity: 'info',
  summary: 'A rule asks a person and does not say why.',
  *find({ policy }) {
    for (const rule of policy.rules) {
      if (rule.action !== 'prompt' || (rule.description ?? '').trim() !== '') continue;
      yield {
        path: ['rule', rule.index],
        message: `${ruleName(rule)} asks a person and does not say why`,
        hint: 'add a description: it is shown with the question',
      };
    }
  },
};

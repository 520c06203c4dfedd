import type { LintRule } from '../finding.ts';
import { ruleName } from '../rule-fields.ts';

/** A message on a rule that never denies: only a denial shows it to the model. */
export const unheardMessage: LintRule = {
  id: 'unheard-message',
  severity: 'info',
  summary: 'A rule that allows has a message, which nobody sees.',
  *find({ policy }) {
    for (const rule of policy.rules) {
      if (rule.action !== 'allow' || rule.message === undefined) continue;
      yield {
        path: ['rule', rule.index, 'message'],
        message: `nobody sees the message of ${ruleName(rule)}: only a denial shows it`,
        hint: 'description = "…" says what a rule is for',
      };
    }
  },
};

/** Rules that ask, and nobody to be asked. */
export const nobodyAsked: LintRule = {
  id: 'nobody-asked',
  severity: 'warning',
  summary: 'Rules ask a person, but [approval] has no channel.',
  *find({ policy, isProject }) {
    if (isProject || policy.approval.channels.length > 0) return;
    const { rules, defaults } = policy;
    const first = rules.find(({ action }) => action === 'prompt');
    if (first === undefined && defaults.action !== 'prompt') return;
    yield {
      path: ['approval', 'channels'],
      message: 'without a channel nobody is asked, so such calls are denied',
      hint: 'write channels = ["terminal", "desktop"], or deny such calls',
      related: [
        first === undefined
          ? { path: ['defaults', 'action'], message: 'the default asks' }
          : { path: ['rule', first.index], message: `${ruleName(first)} asks` },
      ],
    };
  },
};

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

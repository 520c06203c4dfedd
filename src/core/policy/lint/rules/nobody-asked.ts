import type { LintRule } from '../finding.ts';
import { ruleName } from '../rule-name.ts';

/** Rules that ask, and nobody to be asked. */
export const nobodyAsked: LintRule = {
  id: 'nobody-asked',
  severity: 'warning',
  summary: 'Rules ask a person, and [approval] has no way of asking.',
  *find({ policy, isProject }) {
    if (isProject || policy.approval.channels.length > 0) return;
    const { rules, defaults } = policy;
    const first = rules.find(({ action }) => action === 'prompt');
    if (first === undefined && defaults.action !== 'prompt') return;
    yield {
      path: ['approval', 'channels'],
      message: 'nobody is asked without a channel: what should be asked is denied',
      hint: 'channels = ["terminal", "desktop"], or deny right away',
      related: [
        first === undefined
          ? { path: ['defaults', 'action'], message: 'the default asks' }
          : { path: ['rule', first.index], message: `${ruleName(first)} asks` },
      ],
    };
  },
};

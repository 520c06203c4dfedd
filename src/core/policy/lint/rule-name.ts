import type { Rule } from '../types.ts';

/** How people find a rule: `rule 3` or `rule 3 (private-keys)`. */
export function ruleName({ index, id }: Pick<Rule, 'index' | 'id'>): string {
  return id === undefined ? `rule ${index + 1}` : `rule ${index + 1} (${id})`;
}

/** What a rule does, as a verb: `denies`. */
export function actionWord({ action }: Pick<Rule, 'action'>): string {
  return { allow: 'allows', deny: 'denies', prompt: 'asks' }[action];
}

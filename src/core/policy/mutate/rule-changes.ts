import { ruleName } from '../../decision.ts';
import type { Policy, PolicyPath, Rule } from '../types.ts';
import type { Change } from './mutant.ts';

/** A rule that could stand in the place of another. */
export interface RuleChange extends Pick<Change, 'what' | 'need' | 'globs'> {
  readonly rule: Rule;
  /** From the rule on. */
  readonly path: PolicyPath;
}

/** Every rule changed in each of these ways, one at a time. */
export function changesOfRules(policy: Policy, changesOf: (rule: Rule) => readonly RuleChange[]): readonly Change[] {
  return policy.rules.flatMap((rule, place) =>
    changesOf(rule).map(({ rule: other, path, ...change }) => ({
      ...change,
      path: ['rule', rule.index, ...path],
      policy: { ...policy, rules: policy.rules.with(place, other) },
      rule: place,
    })),
  );
}

/** A rule as a sentence names it. */
export function quoted(rule: Rule): string {
  return rule.id === undefined ? ruleName(rule) : JSON.stringify(rule.id);
}

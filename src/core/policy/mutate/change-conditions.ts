import type { Conditions, Rule } from '../types.ts';
import type { Mutation } from './mutant.ts';
import { mutateConditions, type ConditionsChange } from './mutate-conditions.ts';
import { changesOfRules, quoted, type RuleChange } from './rule-changes.ts';

/** Each match field of each rule, and of its `unless`, changed or gone. */
export const changeConditions: Mutation = {
  kind: 'change-condition',
  changes: (policy) =>
    changesOfRules(policy, (rule) => [
      ...mutateConditions(rule, false).map((change) =>
        // What is spread below lacks a field that was dropped.
        toRuleChange(rule, change, { ...textsOf(rule), ...change.conditions }, ''),
      ),
      ...changesOfUnless(rule),
    ]),
};

function changesOfUnless(rule: Rule): readonly RuleChange[] {
  const { unless, ...without } = rule;
  if (unless === undefined) return [];
  return [
    {
      rule: without,
      path: ['unless'],
      what: `${quoted(rule)}: without unless`,
      need: `a call that ${quoted(rule)} would decide if "unless" were not there`,
    },
    ...mutateConditions(unless, true).map((change) =>
      toRuleChange(rule, change, { ...rule, unless: change.conditions }, 'unless'),
    ),
  ];
}

function toRuleChange(...[rule, change, changed, within]: [Rule, ConditionsChange, Rule, '' | 'unless']): RuleChange {
  const { path, what, globs } = change;
  const isException = within === 'unless';
  return {
    rule: changed,
    path: isException ? [within, ...path] : path,
    what: `${quoted(rule)}: ${isException ? 'unless: ' : ''}${what}`,
    need: needOf(quoted(rule), change, isException),
    ...(globs === undefined ? {} : { globs: { ...globs, rule: quoted(rule), isException } }),
  };
}

function needOf(rule: string, { what, dropped }: ConditionsChange, isException: boolean): string {
  const field = isException ? `${dropped} in its "unless"` : dropped;
  if (dropped !== undefined)
    return `a call that ${rule} ${isException ? 'decides' : 'leaves alone'} only because ${field} does not match`;
  return `a call that it would make a difference to: ${isException ? 'unless: ' : ''}${what}`;
}

/** All of a rule but its match fields. */
function textsOf(rule: Rule): Omit<Rule, keyof Conditions> & Pick<Conditions, 'args'> {
  const { tool: _t, resource: _r, prompt: _p, method: _m, server: _s, category: _c, fingerprint: _f, ...others } = rule;
  return others;
}

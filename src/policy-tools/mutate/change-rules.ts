import { ACTIONS, ruleName } from '../../core/decision.ts';
import type { Policy } from '../../core/policy/tables.ts';
import type { Conditions, PolicyPath, Rule } from '../../core/policy/types.ts';
import type { Change, Mutation } from './mutant.ts';
import { type ConditionsChange, mutateConditions } from './mutate-conditions.ts';

/** Each match field of each rule, and of its `unless`, changed or gone. */
export const changeConditions: Mutation = {
  kind: 'change-condition',
  changes: (policy) =>
    changesOfRules(policy, (rule) => [
      ...mutateConditions(rule, false).map((change) =>
        // The conditions lack a dropped field, and `textsOf` does not bring it back.
        toRuleChange(rule, change, { ...textsOf(rule), ...change.conditions }, ''),
      ),
      ...changesOfUnless(rule),
    ]),
};

/** Neighbours the other way round. Those with one action are left: whichever is first, each call is decided the same. */
export const swapRules: Mutation = {
  kind: 'swap-rules',
  changes: (policy) =>
    policy.rules.flatMap((rule, place): readonly Change[] => {
      const next = policy.rules[place + 1];
      if (next === undefined || next.action === rule.action) return [];
      const rules = policy.rules.with(place, { ...next, index: rule.index }).with(place + 1, { ...rule, index: next.index });
      return [
        {
          path: ['rule', rule.index],
          what: `${quoted(rule)} behind ${quoted(next)}`,
          need: `a call that ${quoted(rule)} and ${quoted(next)} both match`,
          policy: { ...policy, rules },
          swapped: place,
        },
      ];
    }),
};

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

/** Each rule gone. The others keep their numbers, by which fixtures may name them. */
export const dropRule: Mutation = {
  kind: 'drop-rule',
  changes: (policy) =>
    policy.rules.map((rule, place) => ({
      path: ['rule', rule.index],
      what: `without ${quoted(rule)}`,
      need: `a call that ${quoted(rule)} decides, and "expectedRule" where another would decide the same`,
      policy: { ...policy, rules: policy.rules.toSpliced(place, 1) },
      rule: place,
      isDropped: true,
    })),
};

/** A rule that could stand in the place of another. */
interface RuleChange extends Pick<Change, 'what' | 'need' | 'globs'> {
  readonly rule: Rule;
  /** The path of the change in the rule. */
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

function needOf(rule: string, { what, dropped, example }: ConditionsChange, isException: boolean): string {
  const field = isException ? `${dropped} in its "unless"` : dropped;
  if (dropped !== undefined)
    return `a call that ${rule} ${isException ? 'decides' : 'leaves alone'} only because ${field} does not match`;
  if (example !== undefined) return `a call with ${example}${isException ? ` and all else that ${rule} asks` : ''}`;
  return `a call that is decided otherwise with this change: ${isException ? 'unless: ' : ''}${what}`;
}

/** All of a rule but its match fields. */
function textsOf(rule: Rule): Omit<Rule, keyof Conditions> & Pick<Conditions, 'args'> {
  const { tool: _t, resource: _r, prompt: _p, method: _m, server: _s, category: _c, fingerprint: _f, ...others } = rule;
  return others;
}

import { expect, it } from 'vitest';
import { changesOfRules, quoted } from '../../../src/policy-tools/mutate/change-rules.ts';
import { policyFrom } from '../../support/policy.ts';

it('puts a changed rule where the rule was', () => {
  const policy = policyFrom('[[rule]]\naction = "deny"\ntool = "a"\n[[rule]]\nid = "b \\"x\\""\naction = "deny"\ntool = "b"');
  const changes = changesOfRules(policy, (rule) => [
    { rule: { ...rule, action: 'allow' }, path: ['action'], what: quoted(rule), need: '' },
  ]);
  expect(changes.map(({ path, what, rule }) => [path, what, rule])).toEqual([
    [['rule', 0, 'action'], 'rule 1', 0],
    [['rule', 1, 'action'], String.raw`"b \"x\""`, 1],
  ]);
  expect(changes.map((change) => change.policy.rules.map(({ action }) => action))).toEqual([
    ['allow', 'deny'],
    ['deny', 'allow'],
  ]);
});

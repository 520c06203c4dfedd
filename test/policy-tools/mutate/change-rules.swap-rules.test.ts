import { expect, it } from 'vitest';
import { swapRules } from '../../../src/policy-tools/mutate/change-rules.ts';
import { policyFrom } from '../../support/policy.ts';

it('swaps neighbours with different actions, in the order that rules are looked at', () => {
  const rule = (action: string, tool: string): string => `[[rule]]\naction = "${action}"\ntool = "${tool}"\n`;
  const policy = policyFrom(rule('deny', 'a') + rule('deny', 'b') + rule('allow', 'c'));
  const changes = swapRules.changes(policy);
  expect(changes.map(({ path, what, swapped }) => [path, what, swapped])).toEqual([[['rule', 1], 'rule 2 behind rule 3', 1]]);
  expect(changes[0]?.policy.rules.map(({ index, action }) => [index, action])).toEqual([
    [0, 'deny'],
    [1, 'allow'],
    [2, 'deny'],
  ]);
});

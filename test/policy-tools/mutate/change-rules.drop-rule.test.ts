import { expect, it } from 'vitest';
import { dropRule } from '../../../src/policy-tools/mutate/change-rules.ts';
import { policyFrom } from '../../support/policy.ts';

it('drops each rule, and the others keep their numbers', () => {
  const policy = policyFrom('[[rule]]\naction = "deny"\ntool = "a"\n[[rule]]\nid = "b"\naction = "deny"\ntool = "b"');
  const changes = dropRule.changes(policy);
  expect(changes.map(({ path, what, rule }) => [path, what, rule])).toEqual([
    [['rule', 0], 'without rule 1', 0],
    [['rule', 1], 'without "b"', 1],
  ]);
  expect(changes.map((change) => change.policy.rules.map(({ index }) => index))).toEqual([[1], [0]]);
});

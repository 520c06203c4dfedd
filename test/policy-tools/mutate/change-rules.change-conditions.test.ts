import { expect, it } from 'vitest';
import { changeConditions } from '../../../src/policy-tools/mutate/change-rules.ts';
import { changesIn } from '../../support/mutants.ts';
import { policyFrom } from '../../support/policy.ts';

const RULE = '[[rule]]\nid = "keys"\nmessage = "no"\naction = "deny"\ntool = "a"\nserver = "s"\n';

it('each field of each rule and of its exception', () => {
  expect(changesIn(changeConditions, `${RULE}unless.args.x = ["b", "c"]\n[[rule]]\naction = "allow"\ntool = "**"`)).toEqual([
    'rule.0.tool: "keys": tool with "**"',
    'rule.0.server: "keys": without server',
    'rule.0.unless: "keys": without unless',
    'rule.0.unless.args.x: "keys": unless: args."*" for args.x',
    'rule.0.unless.args.x.0: "keys": unless: args.x without "b"',
    'rule.0.unless.args.x.1: "keys": unless: args.x without "c"',
    'rule.1.tool: rule 2: tool with "*" for "**"',
  ]);
});

it('changes what it says and nothing else', () => {
  const policy = policyFrom(`${RULE}unless.args.x = "b"`);
  const [rule] = policy.rules;
  const rules = changeConditions.changes(policy).map((change) => change.policy.rules[0]);
  const { server: _s, ...withoutServer } = rule ?? {};
  const { unless: _u, ...withoutUnless } = rule ?? {};
  expect(rules.slice(1, 3)).toEqual([withoutServer, withoutUnless]);
});

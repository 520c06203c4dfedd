import { expect, it } from 'vitest';
import { flipAction } from '../../../src/policy-tools/mutate/change-rules.ts';
import { changesIn } from '../../support/mutants.ts';
import { policyFrom } from '../../support/policy.ts';

const TEXT = '[[rule]]\naction = "deny"\ntool = "a"\n[[rule]]\nid = "b"\naction = "allow"\ntool = "b"';

it('gives each rule each other action', () => {
  expect(changesIn(flipAction, TEXT)).toEqual([
    'rule.0.action: rule 1: action = "allow" for "deny"',
    'rule.0.action: rule 1: action = "prompt" for "deny"',
    'rule.1.action: "b": action = "deny" for "allow"',
    'rule.1.action: "b": action = "prompt" for "allow"',
  ]);
  expect(flipAction.changes(policyFrom(TEXT)).map(({ policy }) => policy.rules.map(({ action }) => action))[2]).toEqual([
    'deny',
    'deny',
  ]);
});

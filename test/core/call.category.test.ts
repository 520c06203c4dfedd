import { expect, it } from 'vitest';
import { CATEGORIES } from '../../src/core/call.ts';
import { policyFrom } from '../support/policy.ts';

it('every category is one that a rule and [classify] may name', () => {
  expect(CATEGORIES).toEqual(['read', 'write', 'send', 'compute', 'execute', 'destroy', 'unknown']);
  for (const category of CATEGORIES) {
    const text = `[classify]\n${category} = ["x"]\n[[rule]]\naction = "deny"\ntool = "t"\ncategory = "${category}"`;
    const { rules, classify } = policyFrom(text);
    expect([rules[0]?.category, classify]).toEqual([[category], { [category]: ['x'] }]);
  }
});

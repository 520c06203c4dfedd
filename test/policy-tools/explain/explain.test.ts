import { expect, it } from 'vitest';
import { decideBy } from '../../support/policy.ts';
import { explained } from '../../support/explained.ts';

const POLICY = '[[rule]]\nid = "etc"\naction = "deny"\ntool = "t"\nargs.p = "/etc/**"\n';

it.each([
  ['/etc/x', 'etc'],
  ['/x', undefined],
])('tells of a call with %s what decide says of it', (p, id) => {
  const call = { tool: 't', args: { p } };
  const { decision, rules, stages } = explained(POLICY, call);
  expect(decision).toEqual(decideBy(POLICY, call));
  expect(rules[0]?.decision?.rule?.id).toBe(id);
  expect(stages.find(({ hasDecided }) => hasDecided)?.stage).toBe('rules');
});

it('is the same for the same call', () => {
  const call = { tool: 't', args: { p: '/x' } };
  expect(explained(POLICY, call)).toEqual(explained(POLICY, call));
});

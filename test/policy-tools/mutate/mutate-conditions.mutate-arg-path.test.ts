import { expect, it } from 'vitest';
import { argField } from '../../../src/policy-tools/arg-path.ts';
import { mutateArgPath } from '../../../src/policy-tools/mutate/mutate-conditions.ts';
import { policyFrom } from '../../support/policy.ts';

it.each([
  ['args."**"', ['args."*"']],
  ['args."*"', ['args."**"']],
  ['args.path', ['args."*"']],
  ['args.options.path', ['args.options."*"']],
  ['args."**".path', ['args."*".path', 'args."**"."*"']],
  ['args."/a/b"', []],
])('%s', (field, expected) => {
  const [rule] = policyFrom(`[[rule]]\naction = "deny"\ntool = "t"\n${field} = "x"`).rules;
  expect(rule?.args.flatMap(({ path }) => mutateArgPath(path)).map(argField)).toEqual(expected);
});

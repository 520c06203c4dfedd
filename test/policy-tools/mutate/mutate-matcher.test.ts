import { expect, it } from 'vitest';
import { mutateMatcher } from '../../../src/policy-tools/mutate/mutate-matcher.ts';
import { policyFrom } from '../../support/policy.ts';

it.each([
  ['"bash"', []],
  ['["bash", "sh"]', ['0: without "bash"', '1: without "sh"']],
  ['"read_*"', [': with "read_**" for "read_*"', ': with "read_" for "read_*"']],
  ['["a", "b*"]', ['0: without "a"', '1: without "b*"', '1: with "b**" for "b*"', '1: with "b" for "b*"']],
  ['true', [': with false']],
  ['7', []],
  ['{ regex = "a" }', []],
  ['{ exists = true }', ['exists: with exists = false']],
  ['{ gt = 5 }', ['gt: with gte for gt']],
  ['{ lte = 5 }', ['lte: with lt for lte']],
  ['{ gt = 5, lt = 9 }', [': without "gt"', 'gt: with gte for gt', ': without "lt"', 'lt: with lte for lt']],
  ['{ not = "a*" }', ['not: without "not"', 'not: not: with "a**" for "a*"', 'not: not: with "a" for "a*"']],
  ['["a", 7, true]', [': without "a"', ': without a number', ': without true', ': with false']],
])('%s', (written, expected) => {
  const [rule] = policyFrom(`[[rule]]\naction = "deny"\ntool = "t"\nargs.x = ${written}`).rules;
  const found = rule?.args.flatMap(({ matcher }) => mutateMatcher(matcher));
  expect(found?.map(({ path, what }) => `${path.join('.')}: ${what}`)).toEqual(expected);
});

import { expect, it } from 'vitest';
import { compileMatcher } from '../../../src/core/match/compile-matcher.ts';
import { asksOf } from '../../../src/policy-tools/explain/test-value.ts';
import { policyFrom, POSIX } from '../../support/policy.ts';

it.each<[written: string, each: readonly string[], others: number]>([
  ['"/etc/**"', ['"/etc/**"'], 0],
  ['["a", "/b", "c", "d", "e"]', ['"a"', '"c"', '"d"'], 2],
  ['{ regex = "^a" }', ['regex = "^a"'], 0],
  ['{ equals = 5 }', ['equals = 5'], 0],
  ['{ equals = "a" }', ['equals = "a"'], 0],
  ['{ exists = false }', ['exists = false'], 0],
  ['{ gt = 1, lte = 2.5 }', ['gt = 1 and lte = 2.5'], 0],
  ['{ not = ["a", "b"] }', ['not = "a", "b"'], 0],
  ['5', ['equals = 5'], 0],
])('%s', (written, each, others) => {
  const [arg] = policyFrom(`[[rule]]\naction = "deny"\ntool = "t"\nargs.p = ${written}\n`).rules[0]?.args ?? [];
  if (arg === undefined) throw new Error('the rule has no argument');
  expect(asksOf(compileMatcher(arg.matcher, true), POSIX)).toEqual({ each, others });
});

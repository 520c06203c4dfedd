import { expect, it } from 'vitest';
import { createMutants } from '../../../src/policy-tools/mutate/mutations.ts';
import { describeNeed } from '../../../src/policy-tools/mutate/mutant.ts';
import { policyFrom } from '../../support/policy.ts';

it.each([
  ['tool = ["a", "b"]', 'tool without "b"', 'a call with tool such as "b" that "r" decides'],
  ['tool = "a_*"', 'with "a_**"', 'a call with tool such as "a_some/more" that "r" leaves alone'],
  ['tool = "t"\nargs.x = "**/k/**"', 'with "**/k/*"', 'a call with args.x such as "/some/folder/k/some/more" that "r" decides'],
  [
    'tool = "t"\nunless.args.x = ["a", "b"]',
    'without "a"',
    'a call with args.x such as "a" and all else that "r" asks, that "r" leaves alone',
  ],
  ['tool = "t"\nserver = "s"', 'without server', 'a call that "r" leaves alone only because server does not match'],
  ['tool = "t"\nargs.x = true', 'with false', 'a call with args.x such as true'],
  ['tool = "t"\nargs.x = "a"', 'args."*" for args.x', 'a call with a matching value at args.other'],
  ['tool = "t"\nargs.x = { gt = 5 }', 'with gte', 'a call with args.x such as 5'],
  ['tool = "t"\nunless.args.x = { not = { lt = 5 } }', 'with lte', 'a call with args.x such as 5 and all else that "r" asks'],
  ['tool = "t"\ncategory = ["read", "send"]', 'without "send"', 'a call with category "send"'],
  ['tool = "t"\nargs."*" = "a"', 'args."**" for args."*"', 'a call with a matching value at args.some.more'],
  [
    'tool = "t"\nunless = { server = "s", args = { x = "a" } }',
    'unless: without args.x',
    'a call that "r" decides only because args.x in its "unless" does not match',
  ],
  ['tool = "t"', 'without "r"', 'a call that "r" decides, and "expectedRule" where another would decide the same'],
])('%s, %s', (text, change, need) => {
  const mutants = createMutants(policyFrom(`[[rule]]\nid = "r"\naction = "deny"\n${text}`));
  const mutant = mutants.find(({ what }) => what.includes(change));
  expect(mutant === undefined ? undefined : describeNeed(mutant)).toBe(need);
});

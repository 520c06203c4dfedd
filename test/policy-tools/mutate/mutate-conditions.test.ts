import { expect, it } from 'vitest';
import { mutateConditions } from '../../../src/policy-tools/mutate/mutate-conditions.ts';
import { policyFrom } from '../../support/policy.ts';

const FINGERPRINT = `sha256:${'0'.repeat(64)}`;

it.each<[string, readonly string[]]>([
  ['tool = "**"', ['tool: tool with "*" for "**"']],
  ['tool = "a"', ['tool: tool with "**"']],
  ['prompt = "a"', ['prompt: prompt with "**"']],
  ['tool = "a"\nserver = "s"', ['tool: tool with "**"', 'server: without server']],
  ['tool = "a"\nmethod = "tools/call"', ['tool: without tool', 'method: without method']],
  ['tool = "a"\nargs.x = "b"', ['tool: tool with "**"', 'args.x: without args.x', 'args.x: args."*" for args.x']],
  ['tool = "a"\nargs."/x" = true', ['tool: tool with "**"', 'args./x: without args."/x"', 'args./x: args."/x" with false']],
  [
    'tool = "a"\ncategory = ["send", "write"]',
    [
      'tool: tool with "**"',
      'category: without category',
      'category.0: category without "send"',
      'category.1: category without "write"',
    ],
  ],
  [`tool = "a"\nfingerprint = "${FINGERPRINT}"`, ['tool: tool with "**"', 'fingerprint: without fingerprint']],
])('of a rule: %s', (text, expected) => {
  const [rule] = policyFrom(`[[rule]]\naction = "deny"\n${text}`).rules;
  const found = rule === undefined ? [] : mutateConditions(rule, false);
  expect(found.map(({ path, what }) => `${path.join('.')}: ${what}`)).toEqual(expected);
});

it.each<[string, readonly string[]]>([
  ['unless.server = "s"', []],
  ['unless.args.x = "a"', ['args.x: args."*" for args.x']],
  ['unless.category = ["send", "write"]', ['category.0: category without "send"', 'category.1: category without "write"']],
  ['unless = { server = "s", tool = "a" }', ['tool: without tool', 'server: without server']],
])('of an exception, which would always hold without its last field: %s', (text, expected) => {
  const [rule] = policyFrom(`[[rule]]\naction = "deny"\ntool = "t"\n${text}`).rules;
  const found = rule?.unless === undefined ? [] : mutateConditions(rule.unless, true);
  expect(found.map(({ path, what }) => `${path.join('.')}: ${what}`)).toEqual(expected);
});

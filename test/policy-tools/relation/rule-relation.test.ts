import { describe, expect, it } from 'vitest';

import { areConditionsDisjoint } from '../../../src/policy-tools/relation/condition-relation.ts';
import { areRulesDisjoint, covers, coversAsWritten } from '../../../src/policy-tools/relation/rule-relation.ts';
import type { Rule } from '../../../src/core/policy/types.ts';
import { policyFrom } from '../../support/policy.ts';

/** A rule from its lines, the action first. */
function rule(text: string): Rule {
  const [action, ...lines] = text.split('; ');
  const [found] = policyFrom(`[[rule]]\naction = "${action}"\n${lines.join('\n')}\n`).rules;
  if (found === undefined) throw new Error('no rule');
  return found;
}

/** `links`: only as far as no folder is a link. */
const COVERED: [a: string, b: string, is: boolean | 'links'][] = [
  // Names have one form, whatever the action.
  ['deny; tool = "**"', 'allow; tool = "read_*"', true],
  ['allow; tool = "**"', 'deny; tool = "read_*"', true],
  ['allow; tool = "read_*"', 'deny; tool = "read_file"', true],
  ['allow; tool = "read_*"', 'deny; tool = "**"', false],
  ['allow; tool = ["a*", "b*"]', 'deny; tool = ["b1", "a1"]', true],
  ['allow; tool = { not = "a*" }', 'deny; tool = "b*"', true],
  ['allow; tool = { not = "a*" }', 'deny; tool = { not = ["a*", "b*"] }', true],
  ['allow; tool = { not = ["a*", "b*"] }', 'deny; tool = { not = "a*" }', false],
  ['allow; tool = { regex = "^read" }', 'deny; tool = "read_file"', true],
  ['allow; tool = { regex = "^read" }', 'deny; tool = "read_*"', false],
  ['allow; tool = { regex = "^read" }', 'deny; tool = { regex = "^read", not = "x" }', true],
  ['allow; tool = "**"; server = "github"', 'deny; tool = "**"', false],
  ['allow; tool = "**"; server = ["git*", "x"]', 'deny; tool = "a"; server = "github"', true],
  ['allow; tool = "**"', 'deny; prompt = "**"', false],
  ['allow; method = "tools/call"', 'deny; tool = "a"', true],
  ['allow; tool = "**"', 'deny; method = "tools/call"', true],
  ['allow; method = "**"', 'deny; resource = "file:///x/**"', true],
  ['allow; tool = "**"; method = "resources/read"', 'deny; tool = "a"', false],
  // The agent's own tools are only taken by rules that name them.
  ['allow; tool = "**"', 'deny; tool = "Bash"; server = "native"', false],
  ['allow; tool = "**"; server = "*"', 'deny; tool = "Bash"; server = "native"', false],
  ['allow; tool = "**"; server = "native"', 'deny; tool = "Bash"; server = "native"', true],
  // An allow rule asks all values, a deny rule any.
  ['allow; tool = "a"; args.x = "1*"', 'deny; tool = "a"; args.x = "1*"', false],
  ['deny; tool = "a"; args.x = "1*"', 'allow; tool = "a"; args.x = "1*"', true],
  ['deny; tool = "a"; args.x = "1*"', 'prompt; tool = "a"; args.x = "12*"', true],
  ['allow; tool = "a"; args.x = ["1*", "2*"]', 'allow; tool = "a"; args.x = "2*"', true],
  ['deny; tool = "a"; args."**" = "1*"', 'allow; tool = "a"; args.x = "1*"', true],
  ['deny; tool = "a"; args."**".y = "1*"', 'prompt; tool = "a"; args.x.y = "1*"', true],
  ['deny; tool = "a"; args.x = "1*"', 'prompt; tool = "a"; args."**" = "1*"', false],
  ['deny; tool = "a"', 'prompt; tool = "a"; args."**" = "1*"', true],
  ['deny; tool = "a"; args.x = { gt = 3 }', 'prompt; tool = "a"; args.x = { gte = 4, lt = 9 }', true],
  ['deny; tool = "a"; args.x = { gt = 4 }', 'prompt; tool = "a"; args.x = { gte = 4 }', false],
  ['deny; tool = "a"; args.x = { gt = 4 }', 'prompt; tool = "a"; args.x = 5', true],
  ['deny; tool = "a"; args.x = { exists = true }', 'prompt; tool = "a"; args.x = "y*"', true],
  ['deny; tool = "a"; args.x = { exists = true }', 'prompt; tool = "a"; args."**" = "y*"', false],
  ['deny; tool = "a"; args.x = { not = "a*" }', 'prompt; tool = "a"; args.x = "b*"', true],
  ['deny; tool = "a"; args.x = { not = "a*" }', 'prompt; tool = "a"; args.x = { not = "**" }', true],
  ['allow; tool = "a"; args.x = { not = "a*" }', 'allow; tool = "a"; args.x = { exists = true }', false],
  // Paths: folders may be links.
  ['deny; tool = "a"; args.x = "/etc/**"', 'prompt; tool = "a"; args.x = "/etc/*.conf"', true],
  ['deny; tool = "a"; args.x = "/etc/**"', 'prompt; tool = "a"; args.x = "/etc/ssl/**"', 'links'],
  ['deny; tool = "a"; args.x = "**/.ssh/**"', 'prompt; tool = "a"; args.x = "/home/*/.ssh/id*"', true],
  ['deny; tool = "a"; args.x = "**/.ssh/**"', 'prompt; tool = "a"; args.x = "~/.ssh/id*"', false],
  ['allow; tool = "a"; args.x = "~/a/**"', 'allow; tool = "a"; args.x = "~/a/b/**"', 'links'],
  ['allow; tool = "a"; args.x = "/home/user/**"', 'allow; tool = "a"; args.x = "~/b/**"', false],
  ['deny; resource = "file:///etc/**"', 'allow; resource = "file:///etc/ssl/**"', 'links'],
  ['allow; resource = "**"', 'deny; resource = "file:///etc/**"', true],
  ['allow; resource = "pg*"', 'deny; resource = "pgsql*"', true],
  ['deny; tool = "a"; args.x = "**"', 'prompt; tool = "a"; args.x = "/etc/**"', false],
  // A NUL byte in what a rule reads as a path is refused by that rule, whatever else it asks.
  ['deny; tool = "a"; args.m = "r"', 'allow; tool = "a"; args.m = "r"; args.x = "/etc/**"', false],
  // Kinds and fingerprints are sets.
  ['deny; tool = "**"; category = ["read", "write"]', 'prompt; tool = "a"; category = "read"', true],
  ['deny; tool = "**"; category = "read"', 'prompt; tool = "a"; category = ["read", "write"]', false],
  ['allow; tool = "**"; category = "read"', 'deny; tool = "a"; category = "read"', false],
  [
    'allow; tool = "**"; category = ["read", "write", "send", "compute", "execute", "destroy", "unknown"]',
    'deny; tool = "a"',
    true,
  ],
  // A text that is only to be read is no path, where a wildcard leads to it.
  ['deny; tool = "**"; args."**" = "/etc/**"', 'deny; tool = "**"; args.path = "/etc/**"', true],
  ['deny; tool = "**"; args."**" = "/etc/**"', 'deny; tool = "**"; args.body = "/etc/**"', false],
  ['deny; tool = "**"; args."**" = "/etc/**"', 'deny; tool = "**"; args.body."**" = "/etc/**"', false],
  ['deny; tool = "**"; args."**" = "/etc/**"', 'deny; tool = "**"; args.x."**" = "/etc/**"', true],
  ['deny; tool = "**"; args."**" = "/etc/**"', 'allow; tool = "**"; args."**" = "/etc/**"', false],
  ['deny; tool = "**"; args."**" = "/etc/**"', 'deny; tool = "**"; args."**" = { equals = "/etc/x" }', false],
  ['deny; tool = "**"; args."**" = "a*"', 'deny; tool = "**"; args.body = "a*"', true],
  // Exceptions.
  ['deny; tool = "**"; unless.server = "x"', 'allow; tool = "a"; server = "y"', true],
  ['deny; tool = "**"; unless.server = "x"', 'allow; tool = "a"', false],
  ['deny; tool = "**"; unless.server = "x"', 'allow; tool = "a"; unless.server = "x*"', true],
  ['deny; tool = "**"; unless.server = "x*"', 'allow; tool = "a"; unless.server = "x"', false],
  ['deny; tool = "**"', 'allow; tool = "a"; unless.server = "x"', true],
  ['deny; tool = "a"; unless.args.x = { gt = 5 }', 'prompt; tool = "a"; args.x = { lt = 3 }', true],
  ['deny; tool = "a"; unless.args.x = { gt = 5 }', 'prompt; tool = "a"; args.x = { lt = 9 }', false],
  ['allow; tool = "a"; unless.args.x = { gt = 5 }', 'allow; tool = "a"; args.x = { lt = 3 }', true],
];

const DISJOINT: [a: string, b: string, always: boolean, asRules: boolean][] = [
  ['deny; tool = "a*"', 'deny; tool = "b*"', true, true],
  ['deny; tool = "a*"', 'deny; tool = "*b"', false, false],
  ['deny; tool = "a"', 'allow; prompt = "a"', true, true],
  ['deny; tool = "a"', 'allow; method = "resources/read"', false, true],
  ['deny; tool = "a"; server = "x"', 'deny; tool = "a"; server = { not = "x" }', true, true],
  ['deny; tool = "a"; args.x = "1"', 'deny; tool = "a"; args.x = "2"', false, false],
  ['allow; tool = "a"; args.x = "q"', 'deny; tool = "a"; args.x = "r"', false, true],
  ['allow; tool = "a"; args.x = { gt = 5 }', 'allow; tool = "a"; args.x = { lte = 5 }', false, true],
  ['allow; tool = "a"; args.x = { exists = false }', 'allow; tool = "a"; args.x = "a"', false, true],
  ['allow; tool = "a"; category = "read"', 'deny; tool = "a"; category = "write"', false, true],
  ['deny; tool = "a"; category = "read"', 'deny; tool = "a"; category = "write"', false, false],
];

describe('relations between rules', () => {
  it.each(COVERED)('%s | covers | %s: %s', (a, b, is) => {
    expect(covers(rule(a), rule(b))).toBe(is === true);
    expect(coversAsWritten(rule(a), rule(b))).toBe(is !== false);
  });

  it.each(COVERED)('a rule covers itself: %s, %s', (a, b) => {
    expect(covers(rule(a), rule(a))).toBe(true);
    expect(covers(rule(b), rule(b))).toBe(true);
  });

  it.each(DISJOINT)('%s | and | %s', (a, b, always, asRules) => {
    expect(areConditionsDisjoint(rule(a), rule(b), { inner: 'possible', outer: 'possible' })).toBe(always);
    expect(areRulesDisjoint(rule(a), rule(b))).toBe(asRules);
    expect(areRulesDisjoint(rule(b), rule(a))).toBe(asRules);
  });
});

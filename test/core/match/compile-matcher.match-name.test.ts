import { describe, expect, it } from 'vitest';
import { compileMatcher, matchesName } from '../../../src/core/match/compile-matcher.ts';
import { policyFrom } from '../../support/policy.ts';

function matches(field: string, name: string): boolean {
  const matcher = policyFrom(`[[rule]]\naction = "deny"\ntool = ${field}`).rules[0]?.tool;
  if (matcher === undefined) throw new Error(field);
  return matchesName(compileMatcher(matcher, false), name);
}

describe('matchesName', () => {
  it.each([
    ['"get_*"', 'get_x', true],
    ['"get_*"', 'GET_x', false],
    ['["a", "b*"]', 'bc', true],
    ['["a", "b*"]', 'c', false],
    ['{ equals = "a*" }', 'a*', true],
    ['{ equals = "a*" }', 'ab', false],
    ['{ regex = "^(get|list)_" }', 'list_x', true],
    ['{ regex = "^(get|list)_" }', 'x_list_', false],
    ['{ not = "get_*" }', 'set_x', true],
    ['{ not = ["get_*", "list_*"] }', 'list_x', false],
    ['{ regex = "^a", not = "ab" }', 'ac', true],
    ['{ regex = "^a", not = "ab" }', 'ab', false],
    // A name with slashes is still no path.
    ['"files/*"', './files/read', false],
    ['"**"', 'a/b\nc', true],
  ])('%s with %j is %j', (field, name, expected) => {
    expect(matches(field, name)).toBe(expected);
  });
});

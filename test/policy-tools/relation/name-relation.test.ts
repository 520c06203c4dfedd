import { describe, expect, it } from 'vitest';

import { areNamesDisjoint, includesName, literalsOf, matchesNoName } from '../../../src/policy-tools/relation/name-relation.ts';
import type { Matcher } from '../../../src/core/policy/types.ts';
import { policyFrom } from '../../support/policy.ts';

function tool(text: string): Matcher {
  const found = policyFrom(`[[rule]]\naction = "deny"\ntool = ${text}\n`).rules[0]?.tool;
  if (found === undefined) throw new Error('no tool');
  return found;
}

describe('names', () => {
  it.each([
    ['"a*"', '"ab"', true],
    ['"a*"', '"b"', false],
    ['{ not = "a*" }', '"b*"', true],
    ['{ regex = "^a" }', '["ab", "ac"]', true],
    ['{ regex = "^a" }', '{ regex = "^a", not = "b" }', true],
    ['{ regex = "^a", not = "b" }', '{ regex = "^a" }', false],
    ['{ equals = "a*" }', '"a*"', false],
    ['"a*"', '{ equals = "a*" }', true],
  ])('%s includes %s: %s', (outer, inner, is) => expect(includesName([tool(outer)], tool(inner))).toBe(is));

  it('tells what several include together', () => {
    expect(includesName([tool('"a*"'), tool('{ not = "a*" }')], tool('"**"'))).toBe(true);
    expect(includesName([tool('"a*"'), tool('"b*"')], tool('["a1", "b1"]'))).toBe(true);
    expect(includesName([tool('"*a"'), tool('"*b"')], tool('"*"'))).toBe(false);
    expect(includesName([], tool('"a"'))).toBe(false);
  });

  it.each([
    ['"a*"', '{ not = "a*" }', true],
    ['"a*"', '{ not = "ab*" }', false],
    ['"ab"', '{ regex = "^b" }', true],
    ['"a*"', '{ regex = "^b" }', false],
    ['{ regex = "^b" }', '{ not = { regex = "^b" } }', true],
  ])('%s and %s are disjoint: %s', (a, b, is) => {
    expect(areNamesDisjoint(tool(a), tool(b))).toBe(is);
    expect(areNamesDisjoint(tool(b), tool(a))).toBe(is);
  });

  it.each([
    ['{ not = "**" }', true],
    ['{ not = "*" }', false],
    ['{ equals = "a", not = "a*" }', true],
    ['{ regex = "a", not = { regex = "a" } }', true],
    ['"a"', false],
  ])('no name matches %s: %s', (text, is) => expect(matchesNoName(tool(text))).toBe(is));

  it('lists what a matcher can match', () => {
    expect(literalsOf(tool('["a", "b"]'))).toEqual(['a', 'b']);
    expect(literalsOf(tool('["a", "b*"]'))).toBeUndefined();
    expect(literalsOf(tool('{ equals = "a*", not = "b" }'))).toEqual(['a*']);
  });
});

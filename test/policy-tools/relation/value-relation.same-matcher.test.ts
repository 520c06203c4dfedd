import { describe, expect, it } from 'vitest';

import { isSameMatcher, toKey } from '../../../src/policy-tools/relation/value-relation.ts';
import type { Matcher } from '../../../src/core/policy/types.ts';
import { policyFrom } from '../../support/policy.ts';

function args(text: string): Matcher {
  const found = policyFrom(`[[rule]]\naction = "deny"\ntool = "a"\n${text}\n`).rules[0]?.args[0]?.matcher;
  if (found === undefined) throw new Error('no matcher');
  return found;
}

describe('same matcher', () => {
  it.each([
    ['args.x = ["a", "b"]', 'args.x = ["b", "a", "a"]', true],
    ['args.x = { gt = 1, not = "a" }', 'args.x = { not = "a", gt = 1 }', true],
    ['args.x = "a"', 'args.x = { equals = "a" }', false],
    ['args.x = { regex = "a" }', 'args.x = { regex = "b" }', false],
    ['args.equals = { a = 1, b = [true] }', 'args.equals = { b = [true], a = 1 }', true],
    ['args.equals = { a = 1 }', 'args.equals = { a = 2 }', false],
  ])('%s and %s: %s', (a, b, is) => {
    expect(isSameMatcher(args(a), args(b))).toBe(is);
    expect(toKey(args(a)) === toKey(args(b))).toBe(is);
  });
});

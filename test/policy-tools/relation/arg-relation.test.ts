import { describe, expect, it } from 'vitest';

import { areArgsDisjoint, argImplies, reachesAll, readsPaths } from '../../../src/policy-tools/relation/arg-relation.ts';
import type { ArgMatch } from '../../../src/core/policy/types.ts';
import { policyFrom } from '../../support/policy.ts';

function arg(line: string): ArgMatch {
  const found = policyFrom(`[[rule]]\naction = "deny"\ntool = "a"\n${line}\n`).rules[0]?.args[0];
  if (found === undefined) throw new Error('no argument');
  return found;
}

const POSSIBLE = { inner: 'possible', outer: 'possible' } as const;
const CERTAIN = { inner: 'certain', outer: 'certain' } as const;

describe('arguments', () => {
  it.each([
    ['args."**" = "a*"', 'args.x = "ab"', true, false],
    ['args.x = "a*"', 'args.x = "ab"', true, true],
    ['args.y = "a*"', 'args.x = "ab"', false, false],
    ['args."**" = { not = "a*" }', 'args.x = { not = "a*" }', false, false],
    ['args."**" = { exists = true }', 'args."**" = "a"', false, true],
    ['args.x = { exists = false }', 'args.x = { exists = false }', true, true],
    ['args.x = { exists = false }', 'args.x = "a"', false, false],
  ])('%s is implied by %s', (outer, inner, possibly, certainly) => {
    expect(argImplies(arg(inner), arg(outer), { modes: POSSIBLE, links: 'any' })).toBe(possibly);
    expect(argImplies(arg(inner), arg(outer), { modes: CERTAIN, links: 'any' })).toBe(certainly);
  });

  it('has no two that are disjoint where one element is enough for each', () => {
    const [a, b] = [arg('args.x = "a"'), arg('args.x = "b"')];
    expect(areArgsDisjoint(a, b, POSSIBLE)).toBe(false);
    expect(areArgsDisjoint(a, b, CERTAIN)).toBe(true);
    expect(areArgsDisjoint(a, b, { inner: 'certain', outer: 'possible' })).toBe(true);
    expect(areArgsDisjoint(a, arg('args.y = "b"'), CERTAIN)).toBe(false);
  });

  it.each([
    ['args."**" = 1', 'args.x.y = 1', true],
    ['args."**".y = 1', 'args.x.y = 1', true],
    ['args."**".y = 1', 'args."/x/y" = 1', true],
    ['args."**".y = 1', 'args.y.x = 1', false],
    ['args."*".y = 1', 'args.x.y = 1', false],
  ])('%s reaches all of %s: %s', (outer, inner, is) => expect(reachesAll(arg(outer).path, arg(inner).path)).toBe(is));

  it('knows what is read as a path', () => {
    expect(readsPaths(arg('args.x = { not = "/etc/**" }').matcher)).toBe(true);
    expect(readsPaths(arg('args.x = { regex = "/etc" }').matcher)).toBe(false);
  });
});

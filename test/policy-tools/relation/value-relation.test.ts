import { describe, expect, it } from 'vitest';

import { areValuesDisjoint, matchesNoValue, valueImplies } from '../../../src/policy-tools/relation/value-relation.ts';
import type { Matcher } from '../../../src/core/policy/types.ts';
import { policyFrom } from '../../support/policy.ts';

const ARGUMENT = { isText: false, links: 'any' } as const;

function value(text: string): Matcher {
  const found = policyFrom(`[[rule]]\naction = "deny"\ntool = "a"\nargs.x = ${text}\n`).rules[0]?.args[0]?.matcher;
  if (found === undefined) throw new Error('no matcher');
  return found;
}

/** Which of `possible` and `certain` on both sides imply; `both` of them. */
function modesThatImply(inner: string, outer: string): string {
  const [b, a] = [value(inner), value(outer)];
  const modes = (['possible', 'certain'] as const).filter((mode) =>
    valueImplies({ matcher: b, mode }, { matcher: a, mode }, ARGUMENT),
  );
  return modes.length === 2 ? 'both' : (modes[0] ?? 'neither');
}

describe('values', () => {
  it.each([
    ['"ab"', '"a*"', 'both'],
    ['"**"', '"*"', 'neither'],
    ['"a*"', '{ exists = true }', 'both'],
    ['5', '{ gt = 3 }', 'both'],
    ['5', '"5"', 'certain'],
    ['true', '"t*"', 'certain'],
    ['{ gt = 5 }', '{ gte = 5 }', 'both'],
    ['{ gte = 5 }', '{ gt = 5 }', 'neither'],
    ['{ equals = "1E2" }', '"1E*"', 'both'],
    ['{ not = "a*" }', '{ not = "ab*" }', 'both'],
    ['{ not = "ab*" }', '{ not = "a*" }', 'neither'],
    ['{ regex = "a" }', '{ regex = "a" }', 'both'],
    ['"a"', '{ regex = "^a$" }', 'both'],
    ['"/etc/x"', '"**"', 'both'],
    // An object has no text, and is outside of any.
    ['{ not = "a" }', '"**"', 'certain'],
    ['{ exists = true }', '"**"', 'neither'],
  ])('%s implies %s: %s', (inner, outer, modes) => expect(modesThatImply(inner, outer)).toBe(modes));

  it('takes what is certain for possible, and not the other way round', () => {
    const ask = (mode: 'possible' | 'certain') => ({ matcher: value('"1*"'), mode });
    expect(valueImplies(ask('certain'), ask('possible'), ARGUMENT)).toBe(true);
    expect(valueImplies(ask('possible'), ask('certain'), ARGUMENT)).toBe(false);
  });

  it.each([
    ['{ gt = 5 }', '{ lt = 3 }', true],
    ['{ gte = 5 }', '{ lte = 5 }', false],
    ['{ gt = 5 }', '{ lte = 5 }', true],
    ['"a*"', '{ equals = "b" }', true],
    // A number may be sent as 1E2 and be 100.
    ['"1E*"', '"10*"', false],
    ['"abc*"', '{ gt = 5 }', true],
    ['"inf*"', '{ gt = 5 }', false],
    ['true', 'false', true],
    ['true', '1', false],
    ['"/a/**"', '"/b/**"', false],
  ])('%s and %s are disjoint: %s', (a, b, is) => {
    const ask = (text: string) => ({ matcher: value(text), mode: 'possible' as const });
    expect(areValuesDisjoint(ask(a), ask(b), ARGUMENT)).toBe(is);
    expect(areValuesDisjoint(ask(b), ask(a), ARGUMENT)).toBe(is);
  });

  it.each([
    ['{ gt = 5, lt = 3 }', 'both'],
    ['{ equals = "a", not = "a" }', 'both'],
    ['{ not = "**" }', 'certain'],
    ['{ exists = false, not = "a" }', 'both'],
    ['{ gt = 3, lt = 5 }', 'neither'],
  ])('no value matches %s: %s', (text, modes) => {
    expect(matchesNoValue({ matcher: value(text), mode: 'certain' }, ARGUMENT)).toBe(modes !== 'neither');
    expect(matchesNoValue({ matcher: value(text), mode: 'possible' }, ARGUMENT)).toBe(modes === 'both');
  });
});

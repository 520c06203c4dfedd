import { describe, expect, it } from 'vitest';

import {
  areConditionsDisjoint,
  conditionsImply,
  findsSameNul,
  namesImply,
} from '../../../src/policy-tools/relation/condition-relation.ts';
import type { Conditions } from '../../../src/core/policy/types.ts';
import { policyFrom } from '../../support/policy.ts';

function conditions(...lines: string[]): Conditions {
  const [found] = policyFrom(`[[rule]]\naction = "deny"\n${lines.join('\n')}\n`).rules;
  if (found === undefined) throw new Error('no rule');
  return found;
}

const POSSIBLE = { inner: 'possible', outer: 'possible' } as const;

describe('conditions', () => {
  it('are implied where each of them is', () => {
    const inner = conditions('tool = "ab"', 'server = "x"', 'args.x = "1"', 'category = "read"');
    const relation = { modes: POSSIBLE, links: 'any' } as const;
    expect(conditionsImply(inner, conditions('tool = "a*"', 'args.x = "1*"'), relation)).toBe(true);
    expect(conditionsImply(inner, conditions('tool = "a*"', 'args.y = "1*"'), relation)).toBe(false);
    expect(conditionsImply(inner, conditions('tool = "a*"', 'category = "write"'), relation)).toBe(false);
    expect(namesImply(inner, conditions('tool = "b"'))).toBe(false);
    expect(namesImply(conditions('method = "tools/call"'), conditions('tool = "**"'))).toBe(true);
    expect(namesImply(conditions('method = "tools/*"'), conditions('tool = "**"'))).toBe(false);
  });

  it('find the same NUL bytes where they read the same paths', () => {
    const path = conditions('tool = "a"', 'args.x = "/etc/**"');
    expect(findsSameNul(path, conditions('tool = "a"', 'args."**" = "**/x"'))).toBe(true);
    expect(findsSameNul(path, conditions('tool = "a"', 'args.x = "*"'))).toBe(false);
    expect(findsSameNul(conditions('tool = "a"'), path)).toBe(true);
  });

  it('are disjoint where one of them is', () => {
    const isApart = (a: Conditions, b: Conditions): boolean => areConditionsDisjoint(a, b, POSSIBLE);
    expect(isApart(conditions('tool = "a"'), conditions('tool = "b"'))).toBe(true);
    expect(isApart(conditions('tool = "a"'), conditions('prompt = "a"'))).toBe(true);
    expect(isApart(conditions('resource = "pg*"'), conditions('resource = "my*"'))).toBe(true);
    expect(isApart(conditions('resource = "/a/**"'), conditions('resource = "/b/**"'))).toBe(false);
    expect(isApart(conditions('tool = "a"', 'category = "read"'), conditions('tool = "a"', 'category = "write"'))).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { compileMatcher } from '../../../src/core/match/compile-matcher.ts';
import { testValue } from '../../../src/policy-tools/explain/test-value.ts';
import type { JsonValue } from '../../../src/core/json.ts';
import { createMatchContext, type Mode } from '../../../src/core/match/match-context.ts';
import { Reading } from '../../../src/core/match/reading.ts';
import { policyFrom, POSIX } from '../../support/policy.ts';

function tested(written: string, value: JsonValue, mode: Mode = 'possible', isKey = false): readonly unknown[] {
  const [arg] = policyFrom(`[[rule]]\naction = "deny"\ntool = "t"\nargs.p = ${written}\n`).rules[0]?.args ?? [];
  if (arg === undefined) throw new Error('the rule has no argument');
  const context = createMatchContext({}, { reading: new Reading(POSIX), realPaths: new Map() });
  const { asks, matches, isNegated } = testValue(compileMatcher(arg.matcher, true), { value, isKey }, { mode, context });
  return [asks.each, matches, isNegated];
}

describe('what settles a matcher of several parts', () => {
  it.each<[written: string, value: JsonValue, told: readonly unknown[]]>([
    ['{ gt = 3, lt = 9 }', 5, [['gt = 3 and lt = 9'], true, false]],
    ['{ gt = 3, lt = 9 }', 12, [['lt = 9'], false, false]],
    ['{ not = { gt = 3, lt = 9 } }', 12, [['lt = 9'], false, true]],
    ['{ not = ["a", "b"] }', 'b', [['"b"'], true, true]],
    ['{ not = ["a", "b"] }', 'c', [['"a"', '"b"'], false, true]],
    ['["a", "/x/**", "b"]', '/x/y', [['"/x/**"'], true, false]],
  ])('%s for %j', (written, value, told) => {
    expect(tested(written, value)).toEqual(told);
  });

  it('patterns that only together have all readings are told of together', () => {
    expect(tested('["/home/user/a", "/home/user/b/**"]', '/home/user/b/..%2Fa', 'certain')).toEqual([
      ['"/home/user/a"', '"/home/user/b/**"'],
      true,
      false,
    ]);
  });

  it('a key is a name, not a file in the working directory', () => {
    expect(tested('"./*"', 'name', 'possible', true)).toEqual([['"./*"'], false, false]);
    expect(tested('"./*"', 'name')).toEqual([['"./*"'], true, false]);
  });
});

import { describe, expect, it } from 'vitest';
import {
  coveragePercent,
  isCovered,
  missedRules,
  isMutationEnough,
  mutationLine,
  mutationPercent,
  survivorLine,
  survivorsOf,
} from '../../../../../src/cli/policy/test/reporters/describe-result.ts';
import { toReport } from '../../../../../src/cli/policy/test/test-report.ts';
import { CONTEXT, decision, fixture, resultOf, report, mutationOf } from '../../../../support/test-reports.ts';

const hitting = (rules: number, ...indexes: number[]) =>
  toReport(
    indexes.map((index) => resultOf(fixture('f'), decision('deny', index))),
    { rules: Array.from({ length: rules }, (_, index) => `r${index}`), guards: [] },
  );

describe('coverage', () => {
  it.each([
    [hitting(3, 0, 1), 66.6],
    [hitting(3, 0, 1, 2), 100],
    [hitting(3), 0],
    [hitting(0), 100],
  ])('%# is %s percent, and never more than it is', (hits, percent) => {
    expect(coveragePercent(hits)).toBe(percent);
  });

  it('is enough where exactly as much is hit as is asked for', () => {
    expect(isCovered(hitting(3, 0, 1), { minCoverage: 66.6 })).toBe(true);
    expect(isCovered(hitting(3, 0, 1), { minCoverage: 66.7 })).toBe(false);
    expect(isCovered(hitting(2, 0), { minCoverage: 50 })).toBe(true);
    expect(isCovered(hitting(2), { minCoverage: undefined })).toBe(true);
    expect(isCovered(hitting(0), { minCoverage: 100 })).toBe(true);
  });

  it('names what is not hit, and where it stands as far as that is known', () => {
    const context = { ...CONTEXT, rules: ['r0', 'r1', 'r2'], ruleLines: [1, 5, 9] };
    expect(missedRules(hitting(3, 1), context)).toEqual([
      { name: 'r0', line: 1, place: 'p.toml:1' },
      { name: 'r2', line: 9, place: 'p.toml:9' },
    ]);
    expect(missedRules(hitting(3, 1), { ...context, ruleLines: [] })[0]).toEqual({
      name: 'r0',
      line: undefined,
      place: 'p.toml',
    });
  });
});

const of = (killed: number, survived: number) => ({ ...report(), mutation: mutationOf(killed, survived) });

describe('mutationPercent', () => {
  it.each([
    [0, 0, 100],
    [1, 0, 100],
    [1, 1, 50],
    [2, 1, 66.6],
    [9999, 1, 99.9],
  ])('%i noticed, %i not: %f %%', (killed, survived, percent) => {
    expect(mutationPercent(of(killed, survived))).toBe(percent);
  });
});

describe('isMutationEnough', () => {
  it.each([
    [9999, 1, 100, false],
    [9999, 1, 99.99, true],
    [0, 0, 100, true],
    [0, 1, 0, true],
    [0, 1, undefined, true],
  ])('%i noticed, %i not, %f %% wanted: %s', (killed, survived, minMutation, expected) => {
    expect(isMutationEnough(of(killed, survived), { minMutation })).toBe(expected);
  });

  it('is not where fixtures failed', () => {
    expect(isMutationEnough({ ...report(), mutation: null }, { minMutation: 0 })).toBe(false);
  });
});

it('says so in words', () => {
  expect(mutationLine(of(1234, 1), {})).toBe('1,234 of 1,235 mutants noticed (99.9 %)');
  expect(mutationLine(of(1, 1), { minMutation: 80 })).toBe('1 of 2 mutants noticed (50 %), and 80 % have to be');
  const [survivor] = survivorsOf(of(1, 1), { policy: 'p.toml' });
  expect(survivor?.place).toBe('p.toml:3');
  expect(survivor === undefined ? '' : survivorLine(survivor)).toBe(
    'no fixture notices "keys": tool without "a0"; missing is a call with tool such as "a0" that "keys" decides',
  );
  expect(survivorsOf(report(), { policy: 'p.toml' })).toEqual([]);
});

import { describe, expect, it } from 'vitest';
import {
  isMutationEnough,
  mutationLine,
  mutationPercent,
  survivorLine,
  survivorsOf,
} from '../../../../../src/cli/policy/test/reporters/mutation.ts';
import { report, mutationOf } from '../../../../support/test-reports.ts';

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

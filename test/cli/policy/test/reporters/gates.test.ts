import { describe, expect, it } from 'vitest';
import { coverageGate, gatesOf, mutationGate } from '../../../../../src/cli/policy/test/reporters/gates.ts';
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
    expect(coverageGate(hits, CONTEXT).percent).toBe(percent);
  });

  it('is enough where exactly as much is hit as is asked for', () => {
    expect(coverageGate(hitting(3, 0, 1), { ...CONTEXT, minCoverage: 66.6 }).isMet).toBe(true);
    expect(coverageGate(hitting(3, 0, 1), { ...CONTEXT, minCoverage: 66.7 }).isMet).toBe(false);
    expect(coverageGate(hitting(2, 0), { ...CONTEXT, minCoverage: 50 }).isMet).toBe(true);
    expect(coverageGate(hitting(2), { ...CONTEXT, minCoverage: undefined }).isMet).toBe(true);
    expect(coverageGate(hitting(0), { ...CONTEXT, minCoverage: 100 }).isMet).toBe(true);
  });

  it('names what is not hit, and where it stands as far as that is known', () => {
    const context = { ...CONTEXT, rules: ['r0', 'r1', 'r2'], ruleLines: [1, 5, 9] };
    expect(coverageGate(hitting(3, 1), context).gaps).toMatchObject([
      { title: 'r0', line: 1, place: 'p.toml:1' },
      { title: 'r2', line: 9, place: 'p.toml:9' },
    ]);
    expect(coverageGate(hitting(3, 1), { ...context, ruleLines: [] }).gaps[0]).toMatchObject({
      title: 'r0',
      line: undefined,
      place: 'p.toml',
    });
  });
});

const of = (killed: number, survived: number) => ({ ...report(), mutation: mutationOf(killed, survived) });

describe('mutation', () => {
  it.each([
    [0, 0, 100],
    [1, 0, 100],
    [1, 1, 50],
    [2, 1, 66.6],
    [9999, 1, 99.9],
  ])('%i noticed, %i not: %f %%', (killed, survived, percent) => {
    expect(mutationGate(of(killed, survived), CONTEXT)?.percent).toBe(percent);
  });

  it.each([
    [9999, 1, 100, false],
    [9999, 1, 99.99, true],
    [0, 0, 100, true],
    [0, 1, 0, true],
    [0, 1, undefined, true],
  ])('%i noticed, %i not, %f %% wanted: %s', (killed, survived, minMutation, expected) => {
    expect(mutationGate(of(killed, survived), { ...CONTEXT, minMutation })?.isMet).toBe(expected);
  });

  it('is not known where fixtures failed', () => {
    expect(gatesOf({ ...report(), mutation: null }, { ...CONTEXT, minMutation: 0 })).toEqual([]);
  });

  it('says so in words', () => {
    expect(mutationGate(of(1234, 1), CONTEXT)?.line).toBe('99.9 % of the mutants were noticed (1,234 of 1,235)');
    const gate = mutationGate(of(1, 1), { ...CONTEXT, minMutation: 80 });
    expect(gate?.line).toBe('50 % of the mutants were noticed (1 of 2), below the required 80 %');
    expect(gate?.gaps).toMatchObject([
      {
        place: 'p.toml:3',
        message: 'no fixture notices "keys": tool without "a0"; missing is a call with tool such as "a0" that "keys" decides',
      },
    ]);
  });
});

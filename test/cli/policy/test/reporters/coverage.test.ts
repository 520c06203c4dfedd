import { describe, expect, it } from 'vitest';
import { coveragePercent, isCovered, missedRules } from '../../../../../src/cli/policy/test/reporters/coverage.ts';
import { toReport } from '../../../../../src/cli/policy/test/test-report.ts';
import { CONTEXT, decision, fixture, resultOf } from '../../../../support/test-reports.ts';

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
  ])('%# is %s percent, and never more than it is', (report, percent) => {
    expect(coveragePercent(report)).toBe(percent);
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

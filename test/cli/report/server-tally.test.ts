import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PeakRate } from '../../../src/cli/report/server-tally.ts';

function peakOf(seconds: readonly number[]): number {
  const rate = new PeakRate();
  for (const second of seconds) rate.add(second * 1000);
  return rate.peak;
}

describe('the busiest minute', () => {
  it.each([
    ['nothing', [], 0],
    ['one', [5], 1],
    ['all in one second', [5, 5, 5], 3],
    ['the first and the last second of a minute', [0, 59], 2],
    ['a minute apart', [0, 60], 1],
    ['the busiest is not the last', [0, 1, 2, 500, 1000], 3],
    ['an hour apart, at the same place of the ring', [0, 0, 3600], 2],
    ['one that comes late counts as of the newest', [100, 40, 100], 3],
    ['before the epoch', [-61, -1, 0], 2],
  ])('%s', (_name, seconds, expected) => {
    expect(peakOf(seconds)).toBe(expected);
  });

  it('is the most of any sixty seconds in a row', () => {
    const times = fc.array(fc.integer({ min: -200, max: 400 }), { maxLength: 60 }).map((all) => all.toSorted((a, b) => a - b));
    fc.assert(
      fc.property(times, (seconds) => {
        const most = Math.max(0, ...seconds.map((end) => seconds.filter((each) => each <= end && each > end - 60).length));
        expect(peakOf(seconds)).toBe(most);
      }),
    );
  });
});

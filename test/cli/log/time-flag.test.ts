import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTime } from '../../../src/cli/log/time-flag.ts';

const NOW = Date.parse('2026-03-15T10:00:00.000Z');

describe('a time', () => {
  it.each<[string, number]>([
    ['0s', NOW],
    ['30s', NOW - 30_000],
    ['15m', NOW - 900_000],
    ['1h', NOW - 3_600_000],
    ['7d', NOW - 7 * 86_400_000],
    ['2w', NOW - 14 * 86_400_000],
    ['2026-01-31', new Date(2026, 0, 31).getTime()],
    ['2024-02-29', new Date(2024, 1, 29).getTime()],
    ['2026-01-31T18:30', new Date(2026, 0, 31, 18, 30).getTime()],
    ['2026-01-31 18:30:05', new Date(2026, 0, 31, 18, 30, 5).getTime()],
    ['2026-01-31T18:30:05.25', new Date(2026, 0, 31, 18, 30, 5, 250).getTime()],
    ['2026-01-31T18:30Z', Date.UTC(2026, 0, 31, 18, 30)],
    ['2026-01-31T18:30:05.123456Z', Date.UTC(2026, 0, 31, 18, 30, 5, 123)],
    ['2026-01-31T18:30+02:00', Date.UTC(2026, 0, 31, 16, 30)],
    ['2026-01-31T18:30:00-0530', Date.UTC(2026, 1, 1, 0, 0)],
  ])('%s', (text, expected) => {
    expect(parseTime('since', text, NOW)).toBe(expected);
  });

  it.each(
    '|1|h|1y|-1h|1.5h|1 h|1H|now|yesterday|2026|2026-1-1|2026-13-01|2026-00-10|2026-02-30|2025-02-29|2026-01-31T24:00|2026-01-31T18:60|2026-01-31T18|2026-01-31Z|2026-01-31T18:30+15:00|31.1.2026|1h '.split(
      '|',
    ),
  )('%j is none, and the forms are shown', (text) => {
    expect(() => parseTime('until', text, NOW)).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: `--until: ${JSON.stringify(text)} is no time`,
        hint: expect.stringMatching(/1h.*2026-01-31.*2026-01-31T18:30Z?/),
      }),
    );
  });

  it('as JavaScript writes it is read as it was meant', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
        expect(parseTime('since', date.toISOString(), NOW)).toBe(date.getTime());
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDuration, formatSize, parseDuration, parseSize } from '../../src/core/quantity.ts';

describe('parseDuration', () => {
  it.each([
    ['0s', 0],
    ['250ms', 250],
    ['5s', 5000],
    ['1.5h', 5_400_000],
    ['0.1s', 100],
    ['90d', 7_776_000_000],
    ['90 d', 7_776_000_000],
    ['2w', 1_209_600_000],
  ])('%s', (text, value) => {
    expect(parseDuration(text)).toEqual({ ok: true, value });
  });

  it.each([
    ['', '"" is no duration', /units: ms, s, m, h, d, w, as in "90d"/],
    ['90', '"90" is no duration', /units: /],
    ['-1d', '"-1d" is no duration', /units: /],
    ['1h30m', '"1h30m" is no duration', /units: /],
    ['1e3s', '"1e3s" is no duration', /units: /],
    ['5  s', '"5  s" is no duration', /units: /],
    ['90 days', 'unknown unit "days" of a duration', /units: /],
    ['5S', 'unknown unit "S" of a duration', /did you mean "s"\?/],
    ['0.5ms', '"0.5ms" is no whole number of ms', /smaller unit/],
    ['999999999999999w', '"999999999999999w" is no whole number of ms', /smaller unit/],
  ])('%j is none', (text, message, hint) => {
    expect(parseDuration(text)).toEqual({ ok: false, message, hint: expect.stringMatching(hint) });
  });
});

describe('parseSize', () => {
  it.each([
    ['12 B', 12],
    ['64KiB', 65_536],
    ['32 MiB', 33_554_432],
    ['1.5 GiB', 1_610_612_736],
    ['1 TiB', 1_099_511_627_776],
  ])('%s', (text, value) => {
    expect(parseSize(text)).toEqual({ ok: true, value });
  });

  it.each([
    ['32 MB', 'unknown unit "MB" of a size', /units: B, KiB, MiB, GiB, TiB, as in "32 MiB"/],
    ['32 mib', 'unknown unit "mib" of a size', /did you mean "MiB"\?/],
    ['32', '"32" is no size', /units: /],
    ['0.3 B', '"0.3 B" is no whole number of B', /smaller unit/],
  ])('%j is none', (text, message, hint) => {
    expect(parseSize(text)).toEqual({ ok: false, message, hint: expect.stringMatching(hint) });
  });
});

describe('formatting', () => {
  it.each([
    [formatSize, 33_554_432, '32 MiB'],
    [formatSize, 1000, '1000 B'],
    [formatSize, 1025 * 1024, '1025 KiB'],
    [formatDuration, 7_776_000_000, '90d'],
    [formatDuration, 90_000, '90s'],
    [formatDuration, 7 * 86_400_000, '1w'],
  ])('%o of %i', (format, value, text) => {
    expect(format(value)).toBe(text);
  });

  it('is undone by parsing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 49 }), (value) => {
        expect(parseSize(formatSize(value))).toEqual({ ok: true, value });
        expect(parseDuration(formatDuration(value))).toEqual({ ok: true, value });
      }),
    );
  });
});

it('takes any text for what it is: a value that is safe, or a reason', () => {
  const nearly = fc.stringMatching(/^[-+]?\d{0,17}[.,]?\d{0,3} ?[a-zA-Z]{0,4}$/);
  fc.assert(
    fc.property(fc.oneof(fc.string(), nearly), (text) => {
      for (const read of [parseDuration(text), parseSize(text)]) {
        if (read.ok) expect(Number.isSafeInteger(read.value) && read.value >= 0).toBe(true);
        else expect([read.message, read.hint]).not.toContain('');
      }
    }),
  );
});

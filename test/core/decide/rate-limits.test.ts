import { describe, expect, it } from 'vitest';
import type { Bucket } from '../../../src/core/facts.ts';
import { fullAt, give, refill, take } from '../../../src/core/decide/rate-limits.ts';

const NOW = 1_700_000_000_000;
/** A token every 6 seconds. */
const LIMIT = { rpm: 10, burst: 3 };
const left = (tokens: number, before = 0): Bucket => ({ tokens, time: NOW - before });

describe('take', () => {
  it.each([
    [undefined, 2],
    [left(3), 2],
    [left(1), 0],
    [left(1.5), 0.5],
    [left(0, 6000), 0],
    [left(0, 9000), 0.5],
    [left(2, 3_600_000), 2],
    // What two processes' sums may be off by.
    [left(1 - 1e-12), 0],
  ])('from %j leaves %f', (bucket, tokens) => {
    expect(take(bucket, LIMIT, NOW)).toEqual({ isTaken: true, bucket: { tokens: expect.closeTo(tokens, 9), time: NOW } });
  });

  it.each([
    [left(0), 6],
    [left(0, 1), 6],
    [left(0, 1000), 5],
    [left(0.5), 3],
    [left(0.999), 1],
    [left(0, 5999), 1],
  ])('from %j is worth another try in %i s', (bucket, retryAfter) => {
    expect(take(bucket, LIMIT, NOW)).toEqual({ isTaken: false, retryAfter });
  });

  it.each([0.001, 0.5, 7, 60, 59.9])('%f a minute: a token is there when it was said to be', (rpm) => {
    const limit = { rpm, burst: 1 };
    for (const before of [0, 1, 333, 999]) {
      const taking = take(left(0, before), limit, NOW);
      const { retryAfter } = taking as { retryAfter: number };
      expect(taking.isTaken).toBe(false);
      expect(take(left(0, before), limit, NOW + retryAfter * 1000).isTaken).toBe(true);
      if (retryAfter > 1) expect(take(left(0, before), limit, NOW + (retryAfter - 1) * 1000).isTaken).toBe(false);
    }
  });

  it('a limit that was changed counts at once, whatever the bucket was left with', () => {
    expect(take(left(100), LIMIT, NOW)).toMatchObject({ bucket: { tokens: 2 } });
    expect(take(left(0.5), { rpm: 600, burst: 3 }, NOW + 50).isTaken).toBe(true);
    expect(take(left(0), { rpm: 1, burst: 3 }, NOW + 6000)).toEqual({ isTaken: false, retryAfter: 54 });
  });

  it('the slowest of rates is a number all the same', () => {
    const slow = { rpm: Number.MIN_VALUE, burst: 1 };
    const { retryAfter } = take(left(0), slow, NOW) as { retryAfter: number };
    expect([retryAfter, fullAt(left(0), slow)].every(Number.isSafeInteger)).toBe(true);
  });
});

describe('a clock that was set back', () => {
  it('gives no more than the burst, and waits for no other clock', () => {
    const hour = 3_600_000;
    expect(refill(left(3, -hour), LIMIT, NOW)).toEqual(left(3));
    expect(refill(left(0, -hour), LIMIT, NOW)).toEqual(left(0));
    expect(take(left(0, -hour), LIMIT, NOW)).toEqual({ isTaken: false, retryAfter: 6 });
    expect(take(left(2, -hour), LIMIT, NOW)).toEqual({ isTaken: true, bucket: left(1) });
    // As one that was edited counts.
    expect(refill({ tokens: 0, time: Number.POSITIVE_INFINITY }, LIMIT, NOW)).toEqual(left(0));
    expect(refill({ tokens: -1000, time: NOW }, LIMIT, NOW)).toEqual(left(0));
  });
});

describe('give', () => {
  it.each([
    [left(0), 1],
    [left(1.5), 2.5],
    [left(2.5), 3],
    [left(0, 3000), 1.5],
    [left(3), 3],
    [undefined, 3],
  ])('%j then has %f', (bucket, tokens) => {
    expect(give(bucket, LIMIT, NOW)).toEqual(left(tokens));
  });
});

describe('fullAt', () => {
  it.each([
    [left(3), 0],
    [left(2), 6000],
    [left(0), 18_000],
    [left(2.99995), 1],
  ])('%j: %i ms later', (bucket, later) => {
    expect(fullAt(bucket, LIMIT)).toBe(NOW + later);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Bucket } from '../../../src/core/facts.ts';
import { give, refill, take } from '../../../src/core/decide/rate-limits.ts';

const START = 1_700_000_000_000;
const MINUTE = 60_000;

const limits = fc.record({
  rpm: fc.oneof(
    fc.integer({ min: 1, max: 300 }),
    fc.integer({ min: 1, max: 60_000 }).map((n) => n / 1000),
  ),
  burst: fc.integer({ min: 1, max: 20 }),
});

/** Milliseconds between two steps: at once, now and then, and in time for another token. */
const pauses = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2000 }), fc.integer({ min: 0, max: 2 * MINUTE }));

describe('any sequence of calls', () => {
  it('in no minute do more pass than the rate and the burst together', () => {
    fc.assert(
      fc.property(limits, fc.array(pauses, { minLength: 1, maxLength: 300 }), (limit, steps) => {
        let now = START;
        let bucket: Bucket | undefined;
        const passed: number[] = [];
        for (const step of steps) {
          now += step;
          const taking = take(bucket, limit, now);
          if (!taking.isTaken) continue;
          bucket = taking.bucket;
          passed.push(now);
        }
        // The first finds the bucket full.
        expect(passed[0]).toBe(START + (steps[0] ?? 0));
        for (const [first, from] of passed.entries()) {
          const inMinute = passed.slice(first).filter((time) => time - from <= MINUTE).length;
          expect(inMinute).toBeLessThanOrEqual(limit.rpm + limit.burst);
        }
      }),
    );
  });

  it('whoever comes as often as is allowed is never denied', () => {
    fc.assert(
      fc.property(limits, fc.integer({ min: 1, max: 500 }), (limit, calls) => {
        const pause = Math.ceil(MINUTE / limit.rpm);
        let bucket: Bucket | undefined;
        for (let i = 0; i < calls; i++) {
          const taking = take(bucket, limit, START + i * pause);
          expect(taking.isTaken).toBe(true);
          if (taking.isTaken) bucket = taking.bucket;
        }
      }),
    );
  });

  it('with tokens put back and a clock that jumps, a bucket is never below nothing or above its burst', () => {
    const step = fc.record({ jump: fc.integer({ min: -5 * MINUTE, max: 5 * MINUTE }), what: fc.constantFrom('take', 'give') });
    fc.assert(
      fc.property(limits, fc.array(step, { maxLength: 100 }), (limit, steps) => {
        let now = START;
        let bucket: Bucket | undefined;
        for (const { jump, what } of steps) {
          now += jump;
          if (what === 'give') bucket = give(bucket, limit, now);
          else {
            const taking = take(bucket, limit, now);
            if (taking.isTaken) bucket = taking.bucket;
          }
          const { tokens } = refill(bucket, limit, now);
          expect(tokens).toBeGreaterThanOrEqual(0);
          expect(tokens).toBeLessThanOrEqual(limit.burst);
        }
      }),
    );
  });

  it('where no more is put back than was taken, no more go on in all than the burst and the time are worth', () => {
    const step = fc.record({ pause: pauses, what: fc.constantFrom('take', 'take', 'give') });
    fc.assert(
      fc.property(limits, fc.array(step, { maxLength: 200 }), (limit, steps) => {
        let now = START;
        let bucket: Bucket | undefined;
        let goneOn = 0;
        for (const { pause, what } of steps) {
          now += pause;
          const taking = what === 'take' ? take(bucket, limit, now) : undefined;
          if (taking?.isTaken === true) {
            bucket = taking.bucket;
            goneOn++;
          } else if (what === 'give' && goneOn > 0) {
            bucket = give(bucket, limit, now);
            goneOn--;
          }
          expect(goneOn).toBeLessThanOrEqual(limit.burst + (limit.rpm * (now - START)) / MINUTE + 1e-6);
        }
      }),
    );
  });
});

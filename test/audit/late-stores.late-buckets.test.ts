import { describe, expect, it } from 'vitest';
import { LateBuckets } from '../../src/audit/late-stores.ts';
import { MemoryBuckets } from '../support/memory-session-log.ts';

describe('LateBuckets', () => {
  it('are the buckets that there are', () => {
    const there = new MemoryBuckets();
    const late = new LateBuckets((work) => work(there));
    const bucket = { tokens: 2, time: 5 };
    late.write('a', bucket, 10);
    expect(there.read('a', 9)).toEqual(bucket);
    expect([late.read('a', 9), late.read('a', 10), late.read('b', 9)]).toEqual([bucket, undefined, undefined]);
  });

  it('fail where there are none yet', () => {
    const late = new LateBuckets(() => {
      throw new Error('not yet');
    });
    expect(() => late.read('a', 1)).toThrow('not yet');
    expect(() => late.write('a', { tokens: 1, time: 1 }, 2)).toThrow('not yet');
  });
});

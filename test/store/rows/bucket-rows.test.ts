import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fullAt, take } from '../../../src/core/decide/rate-limits.ts';
import type { Buckets } from '../../../src/gate/ports/ports.ts';
import { BucketRows } from '../../../src/store/rows/bucket-rows.ts';
import { SqliteStore } from '../../../src/store/sqlite-store.ts';
import { query } from '../../support/stored.ts';

const NOW = 1_700_000_000_000;

let folder = '';
let file = '';
let store: SqliteStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-buckets-'));
  file = join(folder, 'clawai.db');
  store = new SqliteStore({ file, writerVersion: '0', sync: 'normal' });
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

/** One transaction. */
function within<T>(work: (buckets: Buckets) => T): T {
  if (!store.begin()) throw new Error('busy');
  const result = work(new BucketRows(store));
  store.commit();
  return result;
}

describe('buckets in the store', () => {
  it('are read as they were left, to the last fraction, and are gone when they are full', () => {
    const bucket = { tokens: 0.1 + 0.2, time: NOW };
    within((buckets) => buckets.write('["web"]', bucket, NOW + 1000));
    expect(within((buckets) => buckets.read('["web"]', NOW))).toEqual(bucket);
    expect(within((buckets) => buckets.read('["web"]', NOW + 999))).toEqual(bucket);
    expect(within((buckets) => buckets.read('["web"]', NOW + 1000))).toBeUndefined();
    expect(within((buckets) => buckets.read('["web","search"]', NOW))).toBeUndefined();
  });

  it('what a transaction that is taken back has written is not there', () => {
    expect(store.begin()).toBe(true);
    new BucketRows(store).write('a', { tokens: 0, time: NOW }, NOW + 1000);
    store.rollback();
    expect(within((buckets) => buckets.read('a', NOW))).toBeUndefined();
  });

  it('of every limit that a policy can have', () => {
    for (const rpm of [Number.MIN_VALUE, 1e-9, 0.5, 7, 1_000_000]) {
      for (const burst of [1, 3, 1_000_000]) {
        const limit = { rpm, burst };
        const taking = take(undefined, limit, NOW);
        if (!taking.isTaken) throw new Error('a full bucket has a token');
        within((buckets) => buckets.write('a', taking.bucket, fullAt(taking.bucket, limit)));
        expect(within((buckets) => buckets.read('a', NOW))).toEqual(taking.bucket);
      }
    }
    expect(query(file, 'SELECT scope, key FROM state')).toEqual([{ scope: 'rate', key: 'a' }]);
  });

  it.each(['', 'null', '{}', '[]', '[5]', '["5",1]', '[5,null]', '[1e999,1]', '[5,"1"]', 'x'])(
    'one that somebody edited to %j is empty, and no clock is waited for',
    (text) => {
      if (!store.begin()) throw new Error('busy');
      store.write('rate', 'a', text, NOW + 1000);
      store.commit();
      const bucket = within((buckets) => buckets.read('a', NOW));
      expect(take(bucket, { rpm: 10, burst: 5 }, NOW)).toEqual({ isTaken: false, retryAfter: 6 });
    },
  );
});

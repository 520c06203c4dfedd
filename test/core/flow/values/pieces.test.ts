import { describe, expect, it } from 'vitest';
import { visitRandomPieces } from '../../../../src/core/flow/values/pieces.ts';
import { RollingHash } from '../../../../src/core/flow/values/rolling-hash.ts';
import { hasher } from './memory.ts';

function countPieces(text: string, wants = true): number {
  let count = 0;
  const piece = (): void => {
    count += 1;
  };
  visitRandomPieces(text, new RollingHash(hasher), { wants: () => wants, piece });
  return count;
}

describe('visitRandomPieces', () => {
  it.each([
    ['vT9kQz4mXr7wLpB2', 5],
    ['vT9k-Qz4m-Xr7w-LpB2', 5],
    ['key=vT9kQz4mXr7wLpB2;', 5],
    ['/vT9kQz4mXr7w+LpB2/c8Nq5HsZ', 13],
    ['https://a.example/vT9kQz4mXr7wLpB2/x', 5],
    ['"vT9kQz4mXr7w" "LpB2c8Nq5Hs"', 1],
  ])('%s has %d', (text, count) => {
    expect(countPieces(text)).toBe(count);
  });

  it.each([
    'getUserAccountByIdentifier',
    'DEFAULT_REQUEST_TIMEOUT_MS',
    '/home/user/project/src/gateway/upstream-pool.test.ts',
    'https://github.com/acme/gateway/issues/1482',
    'x86_64-unknown-linux-gnu',
    'aarch64-apple-darwin',
    'mara.lindqvist@acme-gateway.example',
    '4929381332664295',
    'a1a1a1a1a1a1a1a1a1a1',
    'claude-sonnet-4-5',
    '/tmp/build-8f3a9c2d1e/out.log',
    'Donaudampfschifffahrtsgesellschaft',
  ])('%s has none', (text) => {
    expect(countPieces(text)).toBe(0);
  });

  it('leaves out what is not wanted', () => {
    expect(countPieces('vT9kQz4mXr7wLpB2', false)).toBe(0);
  });

  it('reads tokens of any length', () => {
    expect(countPieces('vT9kQz4mXr7wLpB2'.repeat(1000))).toBeGreaterThan(15_900);
  });
});

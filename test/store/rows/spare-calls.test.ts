import { describe, expect, it } from 'vitest';
import { KEPT_OLD, type OldCall, spareCalls } from '../../../src/store/rows/spare-calls.ts';

function calls(count: number, server: (i: number) => string): OldCall[] {
  return Array.from({ length: count }, (_, i) => ({ n: i, server: server(i) }));
}

describe('spareCalls', () => {
  it('all but the newest of each server, oldest first, and no more than asked for', () => {
    const old = calls(100, (i) => (i < 3 ? 'db' : 'mail'));
    const all = spareCalls(old, 1000);
    expect(all).toEqual(Array.from({ length: 97 - KEPT_OLD.ofOne }, (_, i) => i + 3));
    expect(spareCalls(old, 10)).toEqual(all.slice(0, 10));
    expect(spareCalls([], 10)).toEqual([]);
  });

  it('retractions, all of them', () => {
    expect(
      spareCalls(
        calls(4, (i) => (i % 2 === 0 ? '' : 'db')),
        10,
      ),
    ).toEqual([0, 2]);
  });

  it('of many servers fewer each, and always one', () => {
    const hundred = calls(10_000, (i) => `s${i % 100}`);
    expect(hundred.length - spareCalls(hundred, 10_000).length).toBe(KEPT_OLD.ofAll);
    const thousand = calls(3000, (i) => `s${i % 1000}`);
    expect(thousand.length - spareCalls(thousand, 10_000).length).toBe(1000);
  });
});

import { describe, expect, it, vi } from 'vitest';
import { waitForLock } from '../../../src/store/rows/tables.ts';

const sqliteError = (errcode: number): Error => Object.assign(new Error('from SQLite'), { errcode });

describe('waiting for a lock', () => {
  it('ends as soon as the lock is free', () => {
    // On a busy machine three short pauses may take longer than is waited at most.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    let asked = 0;
    waitForLock(() => {
      asked++;
      // One of them is that of a process that recovers the log.
      if (asked < 4) throw sqliteError(asked === 2 ? 261 : 5);
    });
    clock.mockRestore();
    expect(asked).toBe(4);
  });

  it('is given up after a few milliseconds', () => {
    let asked = 0;
    const begin = (): void => {
      asked++;
      throw sqliteError(5);
    };
    expect(() => waitForLock(begin)).toThrow('from SQLite');
    expect(asked).toBeGreaterThan(1);
    expect(asked).toBeLessThan(1000);
  });

  it.each([
    ['a full disk', sqliteError(13)],
    ['a file that was replaced', sqliteError(1032)],
    ['a bug', new TypeError('not a function')],
  ])('does not wait for %s', (_what, error) => {
    let asked = 0;
    const begin = (): void => {
      asked++;
      throw error;
    };
    expect(() => waitForLock(begin)).toThrow(error);
    expect(asked).toBe(1);
  });
});

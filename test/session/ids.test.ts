import { describe, expect, it } from 'vitest';
import { randomSessionId, toSessionId } from '../../src/session/ids.ts';

const ANONYMOUS = /^s-[0-9a-f]{16}$/;

describe('toSessionId', () => {
  it('tells a pid that was used again from its first use, and one boot from another', () => {
    const ids = [
      toSessionId('boot', 7, 100),
      toSessionId('boot', 7, 101),
      toSessionId('other', 7, 100),
      toSessionId('boot', 7, undefined),
    ];
    expect(new Set(ids).size).toBe(4);
    expect(toSessionId('boot', 7, 100)).toBe(ids[0]);
    expect(ids.filter((id) => !ANONYMOUS.test(id))).toEqual([]);
  });
});

it('randomSessionId is another each time', () => {
  expect(randomSessionId()).toMatch(ANONYMOUS);
  expect(randomSessionId()).not.toBe(randomSessionId());
});

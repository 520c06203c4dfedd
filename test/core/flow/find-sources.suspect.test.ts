import { describe, expect, it } from 'vitest';
import { isWithin } from '../../../src/core/flow/find-sources.ts';
import { NOW, pastCall } from '../../support/session-facts.ts';

describe('isWithin', () => {
  it.each([
    [0, true],
    [29.999, true],
    [30, true],
    [30.001, false],
    [-1, true],
    [-1_000_000, true],
  ])('a call of %d s ago, in 30 s: %s', (seconds, expected) => {
    expect(isWithin(pastCall(seconds), 30_000, NOW)).toBe(expected);
  });
});

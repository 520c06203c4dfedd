import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../src/core/detect/types.ts';
import { SEVERITIES } from '../../../src/core/finding.ts';

describe('words that policies and events have for what was found', () => {
  it('severities are in their order', () => {
    expect(SEVERITIES).toEqual(['low', 'medium', 'high', 'critical']);
  });

  it('families are named once each', () => {
    expect(new Set(FAMILIES).size).toBe(FAMILIES.length);
  });
});

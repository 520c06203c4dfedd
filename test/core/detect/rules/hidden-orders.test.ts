import { describe, expect, it } from 'vitest';
import { HIDDEN_ORDERS } from '../../../../src/core/detect/rules/hidden-orders.ts';
import { samplesOf } from './samples-of.ts';

const SAMPLES = samplesOf(HIDDEN_ORDERS);

describe('rules', () => {
  it.each(SAMPLES)('$id', ({ hits }) => expect(hits()).toEqual({ hit: true, miss: false }));
});

import { describe, expect, it } from 'vitest';
import { KEPT_FROM_USER } from '../../../../src/core/detect/rules/kept-from-user.ts';
import { samplesOf } from './samples-of.ts';

const SAMPLES = samplesOf(KEPT_FROM_USER);

describe('rules', () => {
  it.each(SAMPLES)('$id', ({ hits }) => expect(hits()).toEqual({ hit: true, miss: false }));
});

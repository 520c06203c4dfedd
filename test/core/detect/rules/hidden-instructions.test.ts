import { describe, expect, it } from 'vitest';
import { HIDDEN_INSTRUCTIONS } from '../../../../src/core/detect/rules/hidden-instructions.ts';
import { samplesOf } from './samples-of.ts';

const SAMPLES = samplesOf(HIDDEN_INSTRUCTIONS);

describe('rules', () => {
  it.each(SAMPLES)('$id', ({ hits }) => expect(hits()).toEqual({ hit: true, miss: false }));
});

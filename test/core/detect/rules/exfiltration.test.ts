import { describe, expect, it } from 'vitest';
import { COVERT_SIDE_EFFECT, EXFILTRATION } from '../../../../src/core/detect/rules/exfiltration.ts';
import { samplesOf } from './samples-of.ts';

const SAMPLES = samplesOf([...EXFILTRATION, ...COVERT_SIDE_EFFECT]);

describe('rules', () => {
  it.each(SAMPLES)('$id', ({ hits }) => expect(hits()).toEqual({ hit: true, miss: false }));
});

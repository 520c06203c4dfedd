import { describe, expect, it } from 'vitest';
import { TOOL_SHADOWING } from '../../../../src/core/detect/rules/tool-shadowing.ts';
import { samplesOf } from './samples-of.ts';

const SAMPLES = samplesOf(TOOL_SHADOWING);

describe('rules', () => {
  it.each(SAMPLES)('$id', ({ hits }) => expect(hits()).toEqual({ hit: true, miss: false }));
});

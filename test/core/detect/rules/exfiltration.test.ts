import { describe, expect, it } from 'vitest';
import { COVERT_SIDE_EFFECT, EXFILTRATION } from '../../../../src/core/detect/rules/exfiltration.ts';
import { hitsOf } from './hits-of.ts';
import { samplesOf } from './samples-of.ts';

const OF_NAMES = EXFILTRATION.filter(({ isOfNames }) => isOfNames);
const SAMPLES = samplesOf([...EXFILTRATION, ...COVERT_SIDE_EFFECT]);

describe('rules', () => {
  it.each(SAMPLES)('$id', ({ hits }) => expect(hits()).toEqual({ hit: true, miss: false }));
});

describe('names of parameters', () => {
  it.each([
    'full conversation',
    'conversation so far',
    'system prompt verbatim',
    'all environment variables with values',
    'names of all other tools',
  ])('%s wants what is none of its business', (name) => {
    expect(hitsOf(OF_NAMES, name)).toEqual(['exfiltration.wanted_by_name']);
  });

  it.each(['conversation id', 'system prompt', 'all environments', 'messages', 'include history', 'env'])(
    '%s does not',
    (name) => {
      expect(hitsOf(OF_NAMES, name)).toEqual([]);
    },
  );
});

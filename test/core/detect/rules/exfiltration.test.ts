import { describe, expect, it } from 'vitest';
import { COVERT_SIDE_EFFECT, EXFILTRATION } from '../../../../src/core/detect/rules/exfiltration.ts';
import { hitsOf } from './hits-of.ts';
import { RULE_SAMPLES } from './rule-samples.ts';

const ALL = [...EXFILTRATION, ...COVERT_SIDE_EFFECT];
const RULES = ALL.filter(({ isOfNames }) => !isOfNames);

describe('rules', () => {
  it.each(RULES.map(({ id }) => id))('%s', (id) => {
    const { hit = '', miss = '' } = RULE_SAMPLES[id] ?? {};
    expect(hitsOf(RULES, hit)).toContain(id);
    expect(hitsOf(RULES, miss)).not.toContain(id);
  });
});

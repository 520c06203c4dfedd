import { describe, expect, it } from 'vitest';
import { KEPT_FROM_USER } from '../../../../src/core/detect/rules/kept-from-user.ts';
import { hitsOf } from './hits-of.ts';
import { RULE_SAMPLES } from './rule-samples.ts';

const ALL = KEPT_FROM_USER;
const RULES = ALL.filter(({ isOfNames }) => !isOfNames);

describe('rules', () => {
  it.each(RULES.map(({ id }) => id))('%s', (id) => {
    const { hit = '', miss = '' } = RULE_SAMPLES[id] ?? {};
    expect(hitsOf(RULES, hit)).toContain(id);
    expect(hitsOf(RULES, miss)).not.toContain(id);
  });
});

import { describe, expect, it } from 'vitest';
import { TOOL_SHADOWING } from '../../../../src/core/detect/rules/tool-shadowing.ts';
import { hitsOf } from './hits-of.ts';
import { RULE_SAMPLES } from './rule-samples.ts';

const ALL = TOOL_SHADOWING;
const RULES = ALL.filter(({ isOfNames }) => !isOfNames);

describe('rules', () => {
  it.each(RULES.map(({ id }) => id))('%s', (id) => {
    const { hit = '', miss = '' } = RULE_SAMPLES[id] ?? {};
    expect(hitsOf(RULES, hit)).toContain(id);
    expect(hitsOf(RULES, miss)).not.toContain(id);
  });
});

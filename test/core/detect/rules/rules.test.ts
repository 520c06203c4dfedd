import { describe, expect, it } from 'vitest';
import { RULES } from '../../../../src/core/detect/rules/rules.ts';
import { RULE_SAMPLES } from './rule-samples.ts';

describe('rules', () => {
  it('each has an id of its own, in its family', () => {
    expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
    for (const { id, family } of RULES) expect(id.startsWith(`${family}.`)).toBe(true);
  });

  it('each that is about sentences has a text that it hits', () => {
    expect(
      RULES.filter(({ isOfNames }) => !isOfNames)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(Object.keys(RULE_SAMPLES).toSorted());
  });
});

import { describe, expect, it } from 'vitest';

import { actionWord, ruleName } from '../../../src/policy-tools/lint/rule-fields.ts';

describe('names of rules', () => {
  it('are their numbers from 1, with their ids', () => {
    expect(ruleName({ index: 2 })).toBe('rule 3');
    expect(ruleName({ index: 2, id: 'keys' })).toBe('rule 3 (keys)');
    expect(actionWord({ action: 'prompt' })).toBe('asks');
  });
});

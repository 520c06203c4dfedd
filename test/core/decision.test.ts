import { expect, it } from 'vitest';

import { ruleName } from '../../src/core/decision.ts';

it('names a rule by its id, else by its place in the file', () => {
  expect(ruleName({ index: 0, action: 'deny', id: 'keys' })).toBe('keys');
  expect(ruleName({ index: 2, action: 'deny' })).toBe('rule 3');
});

import { describe, expect, it } from 'vitest';

import { lintsOf } from '../../../support/lints-of.ts';

describe('unknown-method', () => {
  it.each(['deny; method = "tool/call"', 'deny; method = "sampling/createMesage"'])('finds something in: %s', (lines) => {
    expect(lintsOf('unknown-method', lines)).not.toEqual([]);
  });

  it.each([
    'deny; method = "tools/call"',
    'deny; method = "tools/*"',
    'deny; method = "logging/setLevel"',
    'deny; method = "resources/list"',
    'deny; method = "prompts/list"',
  ])('has nothing against: %s', (lines) => {
    expect(lintsOf('unknown-method', lines)).toEqual([]);
  });
});

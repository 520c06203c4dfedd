import { describe, expect, it } from 'vitest';

import { lintsOf } from '../../../support/lints-of.ts';

describe('unanchored-regex', () => {
  it.each([
    'allow; tool = { regex = "read" }',
    'allow; tool = { regex = "^read|write$" }',
    'deny; tool = "a*"; unless.tool = { regex = "ab" }',
  ])('finds something in: %s', (lines) => {
    expect(lintsOf('unanchored-regex', lines)).not.toEqual([]);
  });

  it.each([
    'allow; tool = { regex = "^read_[a-z|]+$" }',
    'allow; tool = { regex = "^(?:read|write)$" }',
    'allow; tool = { regex = "(?i)^read$" }',
    'allow; tool = { regex = "^(get|list)_" }',
    'allow; tool = { regex = "^get_|^list_" }',
    'deny; tool = { regex = "delete" }',
    'allow; tool = "a*"; unless.tool = { regex = "b" }',
  ])('has nothing against: %s', (lines) => {
    expect(lintsOf('unanchored-regex', lines)).toEqual([]);
  });
});

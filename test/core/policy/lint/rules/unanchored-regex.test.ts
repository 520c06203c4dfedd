import { describe } from 'vitest';

import { testLint } from '../lint-tester.ts';

describe('unanchored-regex', () => {
  testLint('unanchored-regex', {
    hit: [
      'allow; tool = { regex = "read" }',
      'allow; tool = { regex = "^read|write$" }',
      'deny; tool = "a*"; unless.tool = { regex = "ab" }',
    ],
    miss: [
      'allow; tool = { regex = "^read_[a-z|]+$" }',
      'allow; tool = { regex = "^(?:read|write)$" }',
      'allow; tool = { regex = "(?i)^read$" }',
      'allow; tool = { regex = "^(get|list)_" }',
      'allow; tool = { regex = "^get_|^list_" }',
      'deny; tool = { regex = "delete" }',
      'allow; tool = "a*"; unless.tool = { regex = "b" }',
    ],
  });
});

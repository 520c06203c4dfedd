import { describe, expect, it } from 'vitest';

import { adviseOnOperator, OPERATORS } from '../../../src/core/policy/parse-matcher.ts';

describe('adviseOnOperator', () => {
  it.each([
    ['eqals', 'did you mean "equals"?'],
    ['equls', 'did you mean "equals"?'],
    ['equal', 'did you mean "equals"?'],
    ['eq', 'did you mean "equals"?'],
    ['exist', 'did you mean "exists"?'],
    ['regx', 'did you mean "regex"?'],
    ['regexp', 'did you mean "regex"?'],
    ['nto', 'did you mean "not"?'],
    ['gtt', 'did you mean "gt"?'],
    ['min', 'did you mean "gte"?'],
    ['max', 'did you mean "lte"?'],
    ['ne', 'write { not = { equals = … } }'],
    ['not_equals', 'write { not = { equals = … } }'],
    ['startsWith', 'the glob "text**" matches any text that starts with it'],
    ['ends-with', 'the glob "**text" matches any text that ends with it'],
  ])('%s: %s', (word, advice) => {
    expect(adviseOnOperator(word)).toBe(advice);
  });

  it.each([
    ['glob', 'in', 'match', 'matches', 'contains', 'starts_with', 'ends_with', 'neq', 'pattern', 'one_of', 'any_of'],
    OPERATORS.map((operator) => operator.toUpperCase()),
  ])('has some for %s and the like', (...words) => {
    expect(words.filter((word) => adviseOnOperator(word) === undefined)).toEqual([]);
  });

  it.each(['path', 'file', 'url', 'text', 'query', 'index', 'level', 'note', 'email', '', '__proto__', 'a'.repeat(100_000)])(
    'leaves the name %.20s alone',
    (word) => {
      expect(adviseOnOperator(word)).toBeUndefined();
    },
  );
});

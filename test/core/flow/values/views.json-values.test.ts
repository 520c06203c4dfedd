import { describe, expect, it } from 'vitest';
import { jsonValues } from '../../../../src/core/flow/values/views.ts';

describe('jsonValues', () => {
  it.each([
    ['{"name":"a","list":[1,{"x":"b"},null,true]}', 'a\n1\nb'],
    [' ["a"]', 'a'],
    ['{}', ''],
    ['{"a"', undefined],
    ['"a"', undefined],
    ['plain', undefined],
    [`${'['.repeat(100_000)}`, undefined],
    [`${'['.repeat(1000)}"deep"${']'.repeat(1000)}`, ''],
  ])('%.40j', (text, values) => {
    expect(jsonValues(text)).toBe(values);
  });
});

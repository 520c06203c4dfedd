import { expect, it } from 'vitest';
import { createQuestionId, parseQuestionId } from '../../src/approval/to-question.ts';

it('is six letters and digits that are read back, and differs', () => {
  const ids = Array.from({ length: 500 }, createQuestionId);
  expect(new Set(ids).size).toBe(500);
  for (const id of ids) {
    expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{6}$/);
    expect(parseQuestionId(id)).toBe(id);
    expect(parseQuestionId(` ${id.toLowerCase()} `)).toBe(id);
  }
});

it.each([
  ['oOlLiI', '001111'],
  ['K7Q2MX', 'K7Q2MX'],
  ['K7Q2M', undefined],
  ['K7Q2MXX', undefined],
  ['K7Q2MU', undefined],
  ['', undefined],
  ['ﬃ2MXX', undefined],
])('%j is %s', (typed, id) => {
  expect(parseQuestionId(typed)).toBe(id);
});

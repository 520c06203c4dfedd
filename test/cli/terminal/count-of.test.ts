import { expect, it } from 'vitest';
import { countOf } from '../../../src/cli/terminal/count-of.ts';

it.each([
  [0, '0 results'],
  [1, '1 result'],
  [1200, '1200 results'],
])('%d', (count, text) => {
  expect(countOf(count, 'result')).toBe(text);
});

import { expect, it } from 'vitest';
import { formatAgo, countOf } from '../../../src/cli/terminal/layout.ts';

const NOW = 1_800_000_000_000;

it.each([
  [0, 'just now'],
  [-5000, 'just now'],
  [59_999, 'just now'],
  [60_000, '1 min ago'],
  [3_599_999, '59 min ago'],
  [3_600_000, '1 h ago'],
  [86_399_999, '23 h ago'],
  [86_400_000 * 400, '400 d ago'],
])('%d ms: %s', (age, text) => {
  expect(formatAgo(NOW - age, NOW)).toBe(text);
});

it.each([
  [0, '0 results'],
  [1, '1 result'],
  [1200, '1200 results'],
])('%d', (count, text) => {
  expect(countOf(count, 'result')).toBe(text);
});

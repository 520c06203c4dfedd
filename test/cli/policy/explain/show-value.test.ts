import { expect, it } from 'vitest';
import { showText, showValue } from '../../../../src/cli/policy/explain/show-value.ts';
import { ExactNumber } from '../../../../src/core/json.ts';

it.each([
  ['a', '"a"'],
  ['"\n', '"\\"\\n"'],
  ['\u001b\u202e', '"\\u001b\uFFFD"'],
  [5, '5'],
  [new ExactNumber('5.0'), '5.0'],
  [null, 'null'],
  [[1, 2], 'a list'],
  [{ a: 1 }, 'an object with 1 member'],
  ['x'.repeat(81), `"${'x'.repeat(81)}"`],
  ['x'.repeat(100), `"${'x'.repeat(60)}…${'x'.repeat(20)}" (100 characters)`],
])('%j', (value, shown) => {
  expect(showValue(value)).toBe(shown);
});

it('cuts no character in two', () => {
  expect(showText(`${'x'.repeat(59)}😀${'x'.repeat(100)}`).isWellFormed()).toBe(true);
});

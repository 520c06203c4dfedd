import { expect, it } from 'vitest';
import { readArguments } from '../../../../src/cli/policy/explain/read-question.ts';
import { ClawaiError } from '../../../../src/errors.ts';
import { ExactNumber } from '../../../../src/core/json.ts';

it.each([
  ['{}', {}],
  [' {"a": [1, {"b": null}]}\n', { a: [1, { b: null }] }],
  ['{"a": 1.0}', { a: new ExactNumber('1.0') }],
  ['{"a": "[[[[", "b": "\\u0000"}', { a: '[[[[', b: '\0' }],
  [`{"a": ${'['.repeat(500)}${']'.repeat(500)}}`, expect.anything()],
])('%s', async (given, args) => {
  expect(await readArguments(given)).toEqual(args);
});

it.each([
  ['', 'expected a value, found the end', 1, 1],
  ['{"a": 1,\n "a"}', 'expected ":", found "}"', 2, 5],
  ['{"a": \u0000}', 'expected a value, found "\\u0000"', 1, 7],
  ["{'a': 1}", 'expected a key in double quotes or "}", found "\'"', 1, 2],
])('%j is no JSON', async (given, message, line, column) => {
  const error = await readArguments(given).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ClawaiError);
  expect(error).toMatchObject({
    message: `these arguments are not JSON: ${message}`,
    code: 'usage',
    place: { file: '--args', line, column },
  });
});

it.each(['5', '[]', 'null', '{"a": {"b": 1, "b": 1}}', '{"\\ud800": 1}', `{"a": ${'['.repeat(600)}${']'.repeat(600)}}`])(
  '%s is no call’s',
  async (given) => {
    await expect(readArguments(given)).rejects.toMatchObject({ code: 'usage', place: { file: '--args' } });
  },
);

it('a text of many megabytes is an argument like any other', async () => {
  const text = 'a\\n'.repeat(4_000_000);
  expect(await readArguments(`{"a": "${text}"}`)).toEqual({ a: text.replaceAll('\\n', '\n') });
});

import { expect, it } from 'vitest';
import { isVariant } from '../../../src/core/match/args.ts';

it.each([
  ['PATH', 'path', true],
  ['path\0x', 'path', true],
  ['L\u0130ST', 'list', true],
  ['path', 'path', false],
  ['paths', 'path', false],
  ['pa\0th', 'path', false],
])('%j is another spelling of %j: %s', (key, name, expected) => {
  expect(isVariant(key, name)).toBe(expected);
});

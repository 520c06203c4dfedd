import { expect, it } from 'vitest';
import { sessionOf } from '../../../src/transport/mcp-http/mcp-headers.ts';

it.each<readonly [string | string[] | undefined, string | undefined]>([
  ['a-1', 'a-1'],
  ['~!', '~!'],
  ['x'.repeat(1024), 'x'.repeat(1024)],
  ['x'.repeat(1025), undefined],
  ['', undefined],
  ['a b', undefined],
  ['a, a', undefined],
  ['ü', undefined],
  [['a', 'b'], undefined],
  [undefined, undefined],
])('%s', (value, expected) => {
  expect(sessionOf(value === undefined ? {} : { 'mcp-session-id': value })).toBe(expected);
});

import { expect, it } from 'vitest';
import { inOrder } from '../../../src/policy-tools/format/write-value.ts';

const keys = ['message', 'args.b', 'args.a', 'x', 'tool', 'server', 'action', 'id'];
const first = (key: string): string => key.split('.')[0] ?? '';

it.each([
  [
    ['rule', 0],
    ['id', 'action', 'server', 'tool', 'args.b', 'args.a', 'message', 'x'],
  ],
  [
    ['rule', 3, 'unless'],
    ['id', 'action', 'server', 'tool', 'args.b', 'args.a', 'message', 'x'],
  ],
  [[], keys],
  [['rule'], keys],
  [['rule', 0, 'args'], keys],
  [['rule', 0, 'unless', 'args'], keys],
  [['flow'], keys],
  [['detection', 'suppress', 0], keys],
])('the keys of %j', (table, expected) => {
  expect(inOrder(keys, table, first)).toEqual(expected);
});

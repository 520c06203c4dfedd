import { expect, it } from 'vitest';
import { attempt, denying, readFile, useSandbox } from '../support/attempt.ts';

/** Servers that turn texts into numbers take more than JSON's: Python `1_001` and `１００１`, JavaScript `0x3e9`. A limit did not. */
const sandbox = useSandbox();

it('a limit holds for every spelling of a number', async () => {
  const amounts = [1001, '1001', '1_001', '\uff11\uff10\uff10\uff11', '\u0661\u0660\u0660\u0661', '0x3e9', '0b1111101001'];
  const others = [
    '+1001',
    ' 1001\n',
    '1001.',
    '\u{1d7d9}\u{1d7d8}\u{1d7d8}\u{1d7d9}',
    'Infinity',
    'inf',
    '1e99999999999999999999',
    '.1e5',
  ];
  const calls = [...amounts, ...others].map((amount, i) => readFile({ amount }, i));
  const fine = ['1_000', '999', '-0x3e9', '-inf', 'many'].map((amount) => readFile({ amount }, amount));
  const { reached } = await attempt(sandbox.current, denying('args.amount = { gt = 1000 }'), [...calls, ...fine]);
  expect(reached).toEqual(['1_000', '999', '-0x3e9', '-inf', 'many']);
});

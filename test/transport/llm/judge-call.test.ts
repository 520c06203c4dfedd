import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Rounds } from '../../../src/gate/rounds.ts';
import type { ModelCall } from '../../../src/protocol/llm/dialect.ts';
import { judgeCall, type Judging, nameVerdict } from '../../../src/transport/llm/judge-call.ts';
import { ALLOW, createModelGate, denyNative } from '../../support/llm-route.ts';

const CALL: ModelCall = {
  id: 'toolu_1',
  name: 'Bash',
  group: undefined,
  args: '{}',
  problem: undefined,
  runBy: 'client',
  server: undefined,
};

function judgingBy(policy: string): { judging: Judging; transactions: { begun: number; ended: number } } {
  const { gate, transactions } = createModelGate(policy);
  const request = { dialect: 'anthropic', id: 'r.1', client: undefined, tools: new Map() };
  return { transactions, judging: { gate, rounds: new Rounds(), request, withdrawn: new AbortController().signal } };
}

it('says what is to become of a call once that is on record', async () => {
  expect(await judgeCall(CALL, judgingBy(ALLOW).judging)).toEqual({ isAllowed: true });
  expect(await judgeCall(CALL, judgingBy(ALLOW + denyNative('Bash')).judging)).toEqual({
    isAllowed: false,
    note: expect.stringMatching(/^\[clawai\] ./),
  });
});

it('says what a name settles, and keeps the store from nobody meanwhile', async () => {
  const { judging, transactions } = judgingBy(ALLOW + denyNative('Bash'));
  expect(nameVerdict({ ...CALL, args: undefined }, judging)).toBe('deny');
  expect(nameVerdict({ ...CALL, name: 'Read', args: undefined }, judging)).toBe('hold');
  await setImmediate();
  expect(transactions).toEqual({ begun: 1, ended: 1 });
});

import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Rounds } from '../../../src/gate/rounds.ts';
import type { ModelCall } from '../../../src/protocol/llm/dialect.ts';
import { judgeCall, type Judging, nameVerdict, toModelRequest } from '../../../src/transport/llm/judge-call.ts';
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

const ONLY_NUMBERS = '{"parameters":{"type":"object","properties":{"n":{"type":"number"}},"additionalProperties":false}}';

it.each([
  ['a tool of its own takes no texts', { group: undefined, definition: ONLY_NUMBERS }, 'allow'],
  ['a server has a tool of that name', { group: 'mcp__evil', definition: ONLY_NUMBERS }, 'hold'],
])('holds a call for its arguments unless %s', (_what, other, verdict) => {
  const own = { name: 'Note', type: 'function', group: undefined, definition: '{"parameters":{"type":"object"}}' };
  const twin = { name: 'Note', type: 'function', ...other };
  const request = toModelRequest({
    dialect: 'openai',
    id: 'r.1',
    headers: {},
    tools: other.group === undefined ? [twin] : [own, twin],
  });
  expect(nameVerdict({ ...CALL, name: 'Note', args: undefined }, { ...judgingBy(ALLOW).judging, request })).toBe(verdict);
  if (other.group === undefined) return;
  const alone = toModelRequest({ dialect: 'openai', id: 'r.1', headers: {}, tools: [twin] });
  expect(nameVerdict({ ...CALL, name: 'Note', args: undefined }, { ...judgingBy(ALLOW).judging, request: alone })).toBe('hold');
});

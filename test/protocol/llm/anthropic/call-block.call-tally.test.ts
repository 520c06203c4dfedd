import { expect, it } from 'vitest';
import { CallTally } from '../../../../src/protocol/llm/anthropic/call-block.ts';
import type { ModelCall } from '../../../../src/protocol/llm/dialect.ts';

const call = (id: string, runBy: ModelCall['runBy']): ModelCall => ({
  id,
  name: 'n',
  group: undefined,
  args: '{}',
  problem: undefined,
  runBy,
  server: undefined,
});

it.each<[string, readonly (readonly [ModelCall['runBy'], boolean])[], boolean]>([
  ['no calls', [], false],
  ['one denied', [['client', false]], true],
  [
    'one of two denied',
    [
      ['client', false],
      ['client', true],
    ],
    false,
  ],
  [
    'both denied',
    [
      ['client', false],
      ['client', false],
    ],
    true,
  ],
  [
    "one denied, and a provider's allowed",
    [
      ['client', false],
      ['provider', true],
    ],
    true,
  ],
  ["a provider's denied", [['provider', false]], false],
])('%s', (_what, calls, isNothingLeft) => {
  const tally = new CallTally();
  for (const [runBy, isAllowed] of calls) tally.add(call('a', runBy), isAllowed);
  expect(tally.isNothingLeft).toBe(isNothingLeft);
});

it("the results of a provider's denied calls are withheld", () => {
  const tally = new CallTally();
  tally.add(call('a', 'provider'), false);
  tally.add(call('b', 'provider'), true);
  tally.add(call('', 'provider'), false);
  tally.add(call('c', 'client'), false);
  expect(['a', 'b', '', 'c', undefined].map((id) => tally.isWithheld(id))).toEqual([true, false, false, false, false]);
});

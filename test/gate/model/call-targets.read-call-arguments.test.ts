import { expect, it } from 'vitest';
import { readCallArguments } from '../../../src/gate/model/call-targets.ts';
import type { ModelCall } from '../../../src/protocol/llm/dialect.ts';

const call = (args: string | undefined, problem?: ModelCall['problem']): ModelCall => ({
  id: 'a',
  name: 'n',
  group: undefined,
  args,
  problem,
  runBy: 'client',
  server: undefined,
});

it('are an object, or nothing that can be relied on', () => {
  expect(readCallArguments(call('{"a":[1]}'))).toEqual({ a: [1] });
  for (const none of [call(undefined), call('{'), call('[1]'), call('1'), call('{}', 'too_long')])
    expect(readCallArguments(none)).toBeUndefined();
});

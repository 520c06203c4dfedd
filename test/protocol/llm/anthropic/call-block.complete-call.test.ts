import { describe, expect, it } from 'vitest';
import { type CallBlock, completeCall } from '../../../../src/protocol/llm/anthropic/call-block.ts';
import type { ModelCall } from '../../../../src/protocol/llm/dialect.ts';

const CALL: ModelCall = {
  id: 'a',
  name: 'n',
  group: undefined,
  args: undefined,
  problem: undefined,
  runBy: 'client',
  server: undefined,
};
const blockOf = (text: string, type: unknown = 'tool_use'): CallBlock => ({ type, text: () => text });
const BLOCK = '{"type":"tool_use", "id":"a","name":"n","input": {} ,"caller":{"type":"direct"},"toolset_name":null}';

describe('a complete call', () => {
  it('has its arguments, and is told as it was made', () => {
    const call = completeCall(CALL, '{"n": 1.0}', blockOf(BLOCK));
    expect(call).toMatchObject({ ...CALL, args: '{"n": 1.0}' });
    expect(call.inHistory?.()).toBe(BLOCK.replace('{} ', '{"n": 1.0} '));
  });

  it('has arguments where it is told, also where there were none', () => {
    expect(completeCall(CALL, '', blockOf('{"id":"a"}')).inHistory?.()).toBe('{"input":{},"id":"a"}');
  });

  it('costs no more than its arguments where nobody asks for more', () => {
    const source = (): string => {
      throw new Error('not needed');
    };
    expect(completeCall(CALL, '{}', { type: 'tool_use', text: source }).args).toBe('{}');
  });

  it.each<[string, Partial<ModelCall>, string, CallBlock]>([
    ['has arguments that can not be relied on', {}, '{"a":1,"a":2}', blockOf(BLOCK)],
    ['is no JSON', {}, '{', blockOf(BLOCK)],
    ['has no id', { id: '' }, '{}', blockOf(BLOCK)],
    ['is of a type whose results nobody knows', {}, '{}', blockOf(BLOCK, 'x_tool_use')],
    ['is run by the provider', { runBy: 'provider' }, '{}', blockOf(BLOCK, 'server_tool_use')],
  ])('can not be told again where it %s', (_what, more, input, block) => {
    expect(completeCall({ ...CALL, ...more }, input, block).inHistory).toBeUndefined();
  });
});

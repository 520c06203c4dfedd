import { describe, expect, it } from 'vitest';
import { CallState, OpenCall } from '../../../../src/protocol/llm/gemini/open-call.ts';

const CALL = {
  id: '',
  name: 'n"',
  group: undefined,
  args: undefined,
  problem: undefined,
  runBy: 'client',
  server: undefined,
} as const;

describe('a call in pieces', () => {
  const open = (id: string) =>
    new OpenCall(new CallState({ ...CALL, id }, 'hold'), {
      candidate: 0,
      part: '{"functionCall":{"x":1},"thoughtSignature":"s"}',
    });

  it.each(['', 'i'])('is whole in the end, with the id %j', (id) => {
    const call = open(id);
    call.add([{ path: '$.a', piece: 'x', value: undefined, willContinue: true }]);
    call.add([{ path: '$.a', piece: 'y', value: undefined, willContinue: false }]);
    const whole = call.complete();
    expect(whole).toMatchObject({ id, name: 'n"', args: '{"a":"xy"}', problem: undefined });
    expect(JSON.parse(whole.inHistory?.() ?? '')).toEqual({
      functionCall: { ...(id === '' ? {} : { id }), name: 'n"', args: { a: 'xy' } },
      thoughtSignature: 's',
    });
  });

  it('has a problem where it is unclear or not all there', () => {
    const call = open('');
    call.add([{ path: '$', piece: 'x', value: undefined, willContinue: false }]);
    expect(call.complete()).toMatchObject({ problem: 'invalid_json' });
    expect(call.incomplete('too_long')).toEqual({ ...CALL, problem: 'too_long' });
  });
});

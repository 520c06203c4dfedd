import { describe, expect, it } from 'vitest';
import { type CallParts, formatCallPart, formatPastCall } from '../../../../../src/protocol/llm/openai/chat/open-call.ts';

const CALL: CallParts = {
  kind: 'function',
  id: 'a',
  type: undefined,
  name: 'n',
  args: '{"x":"\u2028"}',
  extras: { e: 1 },
  innerExtras: { i: [] },
};

describe('a call', () => {
  it('is a part of a stream, with its place and what it had', () => {
    const fn = { name: 'n', arguments: CALL.args, i: [] };
    expect(JSON.parse(formatCallPart(CALL, 3))).toEqual({ index: 3, id: 'a', function: fn, e: 1 });
    expect(JSON.parse(formatCallPart({ ...CALL, id: undefined, type: 'function' }, 0))).toEqual({
      index: 0,
      type: 'function',
      function: fn,
      e: 1,
    });
    const custom = { ...CALL, kind: 'custom', args: 'ls', innerExtras: {} } as const;
    expect(JSON.parse(formatCallPart(custom, 0))).toEqual({ index: 0, id: 'a', custom: { name: 'n', input: 'ls' }, e: 1 });
    expect(JSON.parse(formatCallPart({ ...CALL, kind: 'legacy' }, 5))).toEqual(fn);
  });

  it('is a part of a message, which always has its type', () => {
    expect(JSON.parse(formatPastCall({ ...CALL, innerExtras: {} }))).toEqual({
      id: 'a',
      type: 'function',
      function: { name: 'n', arguments: CALL.args },
      e: 1,
    });
    expect(formatPastCall({ ...CALL, kind: 'legacy', args: '', innerExtras: {} })).toBe('{"name":"n","arguments":""}');
  });
});

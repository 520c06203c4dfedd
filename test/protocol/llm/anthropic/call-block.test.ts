import { describe, expect, it } from 'vitest';
import {
  formatTextBlock,
  formatTextElement,
  readCallBlock,
  resultOf,
} from '../../../../src/protocol/llm/anthropic/call-block.ts';
import { blockEvents, frames, textBlock } from '../../../support/anthropic-events.ts';

const CALL = {
  id: 'a',
  name: 'n',
  group: undefined,
  args: undefined,
  problem: undefined,
  runBy: 'client',
  server: undefined,
  answer: 'msg_1',
};

describe('a block', () => {
  it.each<[string, Record<string, unknown>, unknown]>([
    ['a call', { type: 'tool_use', id: 'a', name: 'n' }, CALL],
    ['a call without an id', { type: 'tool_use', name: 'n' }, { ...CALL, id: '' }],
    ['a call of a toolset', { type: 'tool_use', id: 'a', name: 'n', toolset_name: 'g' }, { ...CALL, group: 'g' }],
    ['a call of no toolset', { type: 'tool_use', id: 'a', name: 'n', toolset_name: null }, CALL],
    ["a provider's call", { type: 'server_tool_use', id: 'a', name: 'n' }, { ...CALL, runBy: 'provider' }],
    [
      "a provider's call of a server",
      { type: 'mcp_tool_use', id: 'a', name: 'n', server_name: 's' },
      { ...CALL, runBy: 'provider', server: 's' },
    ],
    ['a call of a type to come', { type: 'x_tool_use', id: 'a', name: 'n' }, CALL],
    ['no call', { type: 'text', id: 'a', name: 'n' }, undefined],
    ['a result', { type: 'mcp_tool_result', tool_use_id: 'a' }, undefined],
    ['of no type', { name: 'n' }, undefined],
    ['a call without a name', { type: 'tool_use', id: 'a' }, 'unreadable'],
    ['a call of a server that the client runs', { type: 'tool_use', id: 'a', name: 'read', server_name: 's' }, 'unreadable'],
    ['a call with another one in it', { type: 'tool_use', id: 'a', name: 'read', next: { name: 'x', input: {} } }, 'unreadable'],
    ['a call with an id that is none', { type: 'tool_use', id: 1, name: 'n' }, 'unreadable'],
    ['a call of a server that is none', { type: 'mcp_tool_use', id: 'a', name: 'n', server_name: {} }, 'unreadable'],
  ])('is %s', (_what, block, call) => {
    expect(readCallBlock(block, 'msg_1')).toEqual(call);
  });

  it('may be the result of a call', () => {
    expect(resultOf({ type: 'mcp_tool_result', tool_use_id: 'a' })).toBe('a');
    expect(resultOf({ type: 'text' })).toBeUndefined();
  });
});

describe('a note', () => {
  it('is a text block, as events and as an element', () => {
    expect(formatTextBlock(3, 'no\n')).toBe(frames(blockEvents(3, textBlock('no\n'))));
    expect(formatTextBlock(3, 'a\u2028')).toContain(String.raw`"a\u2028"`);
    expect(formatTextElement('"')).toBe(String.raw`{"type":"text","text":"\""}`);
  });
});

import { expect, it } from 'vitest';
import {
  atIndex,
  begunBlock,
  givenInput,
  indexOf,
  messageId,
  prefilledBlocks,
  withoutToolReason,
} from '../../../../src/protocol/llm/anthropic/frame.ts';
import type { Frame } from '../../../../src/protocol/llm/typed-frame.ts';

const frame = (data: string): Frame => ({
  type: 'x',
  payload: JSON.parse(data) as Frame['payload'],
  data,
  id: undefined,
  retry: undefined,
  isPlain: true,
});

it('an index is a whole number that is not negative', () => {
  for (const [data, index] of [
    ['{"index":3}', 3],
    ['{"index":0}', 0],
    ['{"index":-1}'],
    ['{"index":1.5}'],
    ['{"index":"1"}'],
    ['{}'],
    ['{"index":1e99}'],
  ] as const)
    expect(indexOf(frame(data))).toBe(index);
});

it('a block gets another place, and nothing else changes', () => {
  expect(atIndex(frame('{"delta": {"index": 1}, "index" : 12 , "n": 1.0}'), 3)).toBe(
    '{"delta": {"index": 1}, "index" : 3 , "n": 1.0}',
  );
  expect(atIndex(frame('{"index":3.0}'), 3)).toBe('{"index":3.0}');
});

it('the reason is that the turn has ended, where it was that tools are to be run', () => {
  expect(withoutToolReason(frame('{"stop_reason":"tool_use","delta":{"a":1, "stop_reason" : "tool_use"}}'))).toBe(
    '{"stop_reason":"tool_use","delta":{"a":1, "stop_reason" : "end_turn"}}',
  );
  for (const other of ['{"delta":{"stop_reason":"max_tokens"}}', '{"delta":{"stop_reason":null}}', '{"delta":null}', '{}'])
    expect(withoutToolReason(frame(other))).toBe(other);
});

it('arguments are given in the first event, or not', () => {
  expect(givenInput(frame('{"content_block":{"input": {"a": 1.0} }}'))).toBe('{"a": 1.0}');
  expect(givenInput(frame('{"content_block":{}}'))).toBe('');
});

it('blocks are there from the beginning, or not', () => {
  expect(prefilledBlocks(frame('{"message":{"content":[{},1]}}'))).toHaveLength(2);
  for (const none of ['{"message":{"content":[]}}', '{"message":{"content":null}}', '{"message":{}}', '{}'])
    expect(prefilledBlocks(frame(none))).toEqual([]);
});

it('a block that begins, and the message that does', () => {
  const { type, text } = begunBlock(frame('{"index":1,"content_block": {"type":"tool_use", "n": 1.0} }'));
  expect([type, text()]).toEqual(['tool_use', '{"type":"tool_use", "n": 1.0}']);
  expect(begunBlock(frame('{}')).type).toBeUndefined();
  expect(messageId(frame('{"message":{"id":"msg_1"}}'))).toBe('msg_1');
  for (const none of ['{}', '{"message":{"id":1}}']) expect(messageId(frame(none))).toBeUndefined();
});

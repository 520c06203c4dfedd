import { expect, it } from 'vitest';
import { findUnknownType, isKnownBlock } from '../../../../src/protocol/llm/anthropic/known-types.ts';

const ELSEWHERE = 'a call where none is expected';

it.each(['text', 'tool_use', 'phone_tool_use', 'web_search_tool_result', 'tool_result', 'thinking'])('%s is known', (type) => {
  expect(isKnownBlock(type)).toBe(true);
});

it.each(['function_call', 'tooluse', 'tool_use_x', 'toString', '', undefined, 1])('%j is not', (type) => {
  expect(isKnownBlock(type)).toBe(false);
});

it.each([
  [{ type: 'ping' }, undefined],
  [{ type: 'odd' }, 'an event that clawai does not know ("odd"), which may be a tool call'],
  [{ type: 'content_block_start', content_block: { type: 'text' } }, undefined],
  [{ type: 'content_block_start', content_block: { type: 'odd' } }, expect.stringMatching(/^a block .*"odd"/)],
  [{ type: 'message_start', message: { content: [{ type: 'text' }, { type: 'odd' }] } }, expect.stringMatching(/^a block/)],
  [{ type: 'content_block_delta', delta: { type: 'text_delta' } }, undefined],
  [{ type: 'content_block_delta', delta: { type: 'x'.repeat(999) } }, expect.stringMatching(/^a part of a block .*"x{64}"/)],
  [{ type: 'content_block_start', content_block: { type: 'text', tool_use: { name: 'x' } } }, ELSEWHERE],
  [{ type: 'content_block_start', content_block: { type: 'mcp_tool_listing', tool_calls: [1] } }, undefined],
  [{ type: 'ping', content_block: { type: 'tool_use' } }, ELSEWHERE],
  [{ type: 'message_delta', delta: {}, message: { content: [{ type: 'tool_use' }] } }, ELSEWHERE],
  [
    { type: 'message_delta', delta: {}, context_management: { applied_edits: [{ type: 'clear_tool_uses_20250919' }] } },
    undefined,
  ],
  // What the reason of an end says has no type.
  [{ type: 'message_delta', delta: { stop_reason: 'tool_use' } }, undefined],
])('in %j: %s', (payload, unknown) => {
  expect(findUnknownType({ type: payload.type, payload })).toEqual(unknown);
});

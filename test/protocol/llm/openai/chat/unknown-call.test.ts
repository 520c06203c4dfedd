import { expect, it } from 'vitest';
import { findUnknownCall } from '../../../../../src/protocol/llm/openai/chat/unknown-call.ts';

const CALLS = [{ id: 'c', type: 'function', function: { name: 'read', arguments: '{}' } }];

it.each([
  { choices: [{ delta: { tool_calls: CALLS, function_call: { name: 'x' } }, message: { content: 'a', tool_calls: [] } }] },
  { choices: [{ delta: { content: ['a', { type: 'text' }, { text: 'without a type' }] } }] },
  { choices: 'none' },
  {},
])('what is read as calls is none of them: %j', (answer) => {
  expect(findUnknownCall(answer, 'delta')).toBeUndefined();
});

it.each([
  { choices: [{ tool_calls: CALLS }] },
  { choices: [{ delta: { tool_call: CALLS[0] } }] },
  { choices: [{ delta: { content: { type: 'tool_use' } } }] },
  { choices: [{ delta: { content: [1] } }] },
  { choices: [], tool_calls: CALLS },
])('what is not, is found: %j', (answer) => {
  expect(findUnknownCall(answer, 'delta')).toMatch(/call/);
});

it('calls are read in one of the two places for messages', () => {
  const inMessage = { choices: [{ message: { content: 'a', tool_calls: CALLS } }] };
  expect([findUnknownCall(inMessage, 'message'), findUnknownCall(inMessage, 'delta')]).toEqual([
    undefined,
    'a call where none is expected',
  ]);
});

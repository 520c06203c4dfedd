import { expect, it } from 'vitest';
import { holdsCallWords, mentionsCalls } from '../../../src/protocol/llm/calls.ts';

it.each([
  { tool_calls: [{}] },
  { toolCalls: [{ a: 1 }] },
  { a: [{ functionCall: { name: 'x' } }] },
  { 'server-tool-use': { name: 'x' } },
  { a: { type: 'function_call' } },
  { type: 'response.custom_tool_call.done' },
  { item: { type: 'computer_call' } },
  [{ type: 'tool_use' }],
  { next: { name: 'x', args: {} } },
  { name: 'x', arguments: '' },
])('%j looks like a call', (value) => {
  expect(holdsCallWords(value)).toBe(true);
});

it.each([
  { tool_calls: [] },
  { tool_calls: null },
  { function_call: {} },
  { calls: 3, tool_calls: 'none' },
  { usage: { server_tool_use: { n: 1 } }, a: { usage: { calls: [1] } } },
  { type: 'text', text: '{"type":"function_call"}' },
  { type: 'recall' },
  { name: 'x', parameters: {} },
  { name: 'x', input: null },
  { name: {}, input: 'x' },
  'function_call',
  null,
])('%j does not', (value) => {
  expect(holdsCallWords(value)).toBe(false);
});

it('however deep it is', () => {
  let value: unknown = { type: 'tool_use' };
  for (let depth = 0; depth < 100_000; depth++) value = [value];
  expect(holdsCallWords(value)).toBe(true);
});

it.each([
  ['{"tool_calls":', true],
  ['"functionCall" :', true],
  [String.raw`{"t\u006fol_use": NaN}`, true],
  ['{\'type\': "custom_tool_call"}', true],
  [String.raw`{"message":"no \"tool_use\" may be here"}`, false],
  ['tool_use', false],
])('%s mentions calls: %s', (text, does) => {
  expect(mentionsCalls(text)).toBe(does);
});

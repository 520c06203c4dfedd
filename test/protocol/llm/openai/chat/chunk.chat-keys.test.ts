import { expect, it } from 'vitest';
import { hasDoubtfulKey } from '../../../../../src/protocol/llm/openai/chat/chunk.ts';

it.each<[string, boolean]>([
  ['{"tool_calls":1,"toolcalls":1,"x":1}', false],
  ['{"Tool_Calls":1}', true],
  ['{"name\\u0000":1}', true],
  ['{"function_\\u212aall":1}', false],
  ['{"__proto__":{}}', true],
  ['{}', false],
])('%s: %s', (text, isDoubtful) => {
  expect(hasDoubtfulKey(JSON.parse(text) as Record<string, unknown>)).toBe(isDoubtful);
});

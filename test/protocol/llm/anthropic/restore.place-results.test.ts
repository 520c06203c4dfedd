import { expect, it } from 'vitest';
import type { DeniedCall } from '../../../../src/protocol/llm/model-api.ts';
import { applyEdits, elementsOf } from '../../../../src/protocol/llm/json-text.ts';
import { placeResults } from '../../../../src/protocol/llm/anthropic/restore.ts';

const CALL: DeniedCall = { id: 'a', name: 'n', text: '{"id":"a"}', note: '[clawai] No: "x".' };
const RESULT = '{"type":"tool_result","tool_use_id":"a","is_error":true,"content":"No: \\"x\\"."}';
const ALONE = `{"role":"user","content":[${RESULT}]}`;

/** The messages with a result of the call in them. */
function placed(messages: string, at: number, call = CALL): string {
  const list = { start: 0, end: messages.length };
  return applyEdits(messages, [placeResults(messages, { list, elements: elementsOf(messages, list) ?? [], at }, [call])]);
}

it.each([
  ['[]', 0, `[${ALONE}]`],
  ['[{"role":"assistant"}]', 1, `[{"role":"assistant"},${ALONE}]`],
  ['[{"role":"assistant"}]', 0, `[${ALONE},{"role":"assistant"}]`],
  ['[ {"role":"user","content":"é"} ]', 0, `[ {"role":"user","content":[${RESULT},{"type":"text","text":"é"}]} ]`],
  ['[{"content": [ 1.0 ], "role":"user"}]', 0, `[{"content": [${RESULT}, 1.0 ], "role":"user"}]`],
  ['[{"role":"user","content":[]}]', 0, `[{"role":"user","content":[${RESULT}]}]`],
  ['[{"role":"user","content":7}]', 0, `[${ALONE},{"role":"user","content":7}]`],
  ['[7]', 0, `[${ALONE},7]`],
])('%s, %i', (before, at, after) => {
  expect(placed(before, at)).toBe(after);
});

it.each([
  ['{"caller":{"type":"code_execution_20260120"}}', `[${ALONE},{"role":"user","content":[{"type":"text"}]}]`],
  ['{"caller":{"type":"direct"}}', `[{"role":"user","content":[${RESULT},{"type":"text"}]}]`],
  ['{"caller":{}}', `[{"role":"user","content":[${RESULT},{"type":"text"}]}]`],
])('of a call that was made by %s', (text, after) => {
  expect(placed('[{"role":"user","content":[{"type":"text"}]}]', 0, { ...CALL, text })).toBe(after);
});

import { expect, it } from 'vitest';
import type { DeniedCall, NotedCall } from '../../../../src/protocol/llm/model-api.ts';
import { applyEdits } from '../../../../src/protocol/llm/json-text.ts';
import { restoreContent } from '../../../../src/protocol/llm/anthropic/restore.ts';

const NOTE = '[clawai blk_x] No.';
const CALL: DeniedCall = { id: 'a', name: 'n', text: '{"type":"tool_use","id":"a"}', note: NOTE };

/** Takes each note for the call, without any ledger. */
function notedIn(said: string): readonly NotedCall[] {
  return Array.from(said.matchAll(/\[clawai blk_x\] No\./g), ({ index }) => ({
    call: CALL,
    start: index,
    end: index + NOTE.length,
  }));
}

it.each([
  [`{"content": "${NOTE}" }`, `{"content": [${CALL.text}] }`],
  [`{"content":"a ${NOTE}b"}`, `{"content":[{"type":"text","text":"a "},${CALL.text},{"type":"text","text":"b"}]}`],
  [`{"content":[ {"text":"${NOTE}", "type":"text"} , {"n":1.0}]}`, `{"content":[ ${CALL.text} , {"n":1.0}]}`],
  [`{"content":[{"type":"thinking","text":"${NOTE}"}]}`, undefined],
  [`{"content":[{"type":"text","text":["${NOTE}"]}, "${NOTE}"]}`, undefined],
  ['{"content":"[clawai blk_y] No."}', undefined],
  [`{"text":"${NOTE}"}`, undefined],
  [`"${NOTE}"`, undefined],
])('%s', (message, expected) => {
  const edits = restoreContent(message, { start: 0, end: message.length }, notedIn);
  expect(applyEdits(message, edits)).toBe(expected ?? message);
});

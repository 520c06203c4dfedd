import { expect, it } from 'vitest';
import { anthropicApi } from '../../../src/protocol/llm/anthropic/api.ts';
import type { AnswerRequest, ModelApi } from '../../../src/protocol/llm/model-api.ts';
import { repairRequest } from '../../../src/transport/llm/llm-request.ts';
import { createLedger, tellable } from '../../support/denied-ledger.ts';

const CALL = '{"type":"tool_use","id":"a","name":"n","input":{}}';
const asked = (previousAnswer?: string): AnswerRequest => ({ tools: [], mcpServers: [], results: [], previousAnswer });
/** Says how often a request was looked into. */
function counting(): { readonly api: ModelApi; readonly looked: () => number } {
  let times = 0;
  const restore: ModelApi['restore'] = (text) => {
    times++;
    return text.toUpperCase();
  };
  return { api: { ...anthropicApi, restore }, looked: () => times };
}

it('is looked into where a note is in it, or it goes on from an answer with a denied call', () => {
  const ledger = createLedger();
  const { api, looked } = counting();
  const note = ledger.note(tellable(CALL, { answer: 'msg_1' }), 'No.');
  expect(repairRequest(note, { api, denied: ledger, asked: asked(), place: 'body' })).toBe(note.toUpperCase());
  expect(repairRequest('x', { api, denied: ledger, asked: asked('msg_1'), place: 'body' })).toBe('X');
  expect(looked()).toBe(2);
});

it('is left alone where nothing was denied, or it has to do with none of it', () => {
  const ledger = createLedger();
  const { api, looked } = counting();
  const options = { api, denied: ledger, place: 'body' } as const;
  expect(repairRequest('[clawai blk_', { ...options, asked: asked('msg_1') })).toBe('[clawai blk_');
  ledger.note(tellable(CALL, { answer: 'msg_1' }), 'No.');
  for (const answer of [undefined, 'msg_2'])
    expect(repairRequest('[clawai] x', { ...options, asked: asked(answer) })).toBe('[clawai] x');
  expect(looked()).toBe(0);
});

import { describe, expect, it } from 'vitest';
import type { DeniedLedger } from '../../../../../src/gate/model/denied-ledger.ts';
import { findResponseCalls, rewriteResponse } from '../../../../../src/protocol/llm/openai/responses/buffered.ts';
import { readResponsesRequest } from '../../../../../src/protocol/llm/openai/responses/request.ts';
import { restoreResponses } from '../../../../../src/protocol/llm/openai/responses/restore.ts';
import { restoreChat } from '../../../../../src/protocol/llm/openai/chat/restore.ts';
import { createLedger, tellable } from '../../../../support/denied-ledger.ts';
import { call, custom, type Item, message, REASONING, response, shell } from '../../../../support/response-events.ts';

const WHY = 'It was denied.\nSo it is.';
const USER = { role: 'user', content: 'Do it.' };
const READ = call('read', '{"path":"/etc"}');
const WRITE = call('write', '{}');

interface Answered {
  readonly denied: DeniedLedger;
  /** What the client has of the answer. */
  readonly output: readonly Item[];
}

/** An answer whose calls are all denied, except those of `ok`. */
function answer(items: readonly Item[], more: object = {}): Answered {
  const denied = createLedger();
  const text = JSON.stringify(response(items, more));
  const calls = findResponseCalls(text);
  if (typeof calls === 'string') throw new Error(calls);
  const verdicts = calls.map((one) =>
    one.name === 'ok' ? ({ isAllowed: true } as const) : { isAllowed: false, note: denied.note(one, WHY) },
  );
  const { output } = JSON.parse(rewriteResponse(text, verdicts)) as { output: readonly Item[] };
  return { denied, output };
}

function restored(body: object, { denied }: Pick<Answered, 'denied'>): Readonly<Record<string, unknown>> {
  const text = restoreResponses(JSON.stringify({ model: 'm', ...body }), denied);
  expect(readResponsesRequest(text)).not.toBeTypeOf('string');
  return JSON.parse(text) as Record<string, unknown>;
}
const inputOf = (input: unknown, of: Pick<Answered, 'denied'>): unknown => restored({ input }, of)['input'];
const told = (item: Item) => ({ type: 'function_call_output', call_id: item['call_id'], output: WHY });

describe('hazard 31: a history with denied calls', () => {
  it('has them again where their notes are, each with what it came to, and everything else as it was', () => {
    const ok = call('ok', '{}');
    const result = { type: 'function_call_output', call_id: ok['call_id'], output: 'x' };
    const one = answer([REASONING, READ, message('So.'), ok]);
    expect(inputOf([USER, ...one.output, result], one)).toEqual([USER, REASONING, READ, told(READ), message('So.'), ok, result]);
  });

  const CALLER = { caller: { type: 'program', caller_id: 'prog_1' } };
  it.each<[string, Item, object]>([
    ['a custom tool', custom('run', 'ls'), { type: 'custom_tool_call_output', call_id: 'call_run', output: WHY }],
    [
      'a shell',
      shell(['a', 'b']),
      {
        type: 'shell_call_output',
        call_id: 'call_sh',
        max_output_length: 1000,
        output: ['a', 'b'].map(() => ({ stdout: '', stderr: WHY, outcome: { type: 'exit', exit_code: 1 } })),
      },
    ],
    [
      'a local shell',
      { type: 'local_shell_call', id: 'l', call_id: 'c', action: { type: 'exec', command: ['ls'] } },
      { type: 'local_shell_call_output', id: 'c', output: JSON.stringify({ output: WHY, metadata: { exit_code: 1 } }) },
    ],
    [
      'a patch',
      { type: 'apply_patch_call', id: 'p', call_id: 'c', operation: { type: 'delete_file', path: 'a' } },
      { type: 'apply_patch_call_output', call_id: 'c', status: 'failed', output: WHY },
    ],
    [
      'a question for consent',
      { type: 'mcp_approval_request', id: 'q', server_label: 's', name: 'n', arguments: '{}' },
      { type: 'mcp_approval_response', approval_request_id: 'q', approve: false, reason: WHY },
    ],
    [
      'a search for tools',
      { type: 'tool_search_call', id: 't', call_id: 'c', execution: 'client', arguments: {} },
      { type: 'tool_search_output', call_id: 'c', execution: 'client', status: 'completed', tools: [] },
    ],
    ['a program', call('read', '{}', CALLER), { type: 'function_call_output', call_id: 'call_read_2', output: WHY, ...CALLER }],
  ])('tells a call of %s in its own words', (_what, item, result) => {
    const one = answer([item]);
    expect(inputOf([USER, ...one.output], one)).toEqual([USER, item, result]);
  });

  it('has notes of what has no result in words, and of what others gave, as texts', () => {
    const computer = answer([{ type: 'computer_call', id: 'cu', call_id: 'c', actions: [] }]);
    expect(inputOf(computer.output, computer)).toEqual(computer.output);
    const one = answer([READ]);
    expect(inputOf(one.output, { denied: createLedger('other') })).toEqual(one.output);
  });

  it('knows a note by its id alone, as a reference has it, or by its text', () => {
    const one = answer([READ]);
    const [note] = one.output as readonly [Item];
    const { text } = (note['content'] as readonly [{ text: string }])[0];
    const back = [READ, told(READ)];
    expect(inputOf([{ type: 'item_reference', id: note['id'] }], one)).toEqual(back);
    expect(inputOf([{ id: note['id'] }], one)).toEqual(back);
    expect(inputOf([{ role: 'assistant', content: text }], one)).toEqual(back);
    expect(inputOf([{ role: 'assistant', content: `So.\n\n${text}` }], one)).toEqual([
      { role: 'assistant', content: 'So.' },
      ...back,
    ]);
    const user = { role: 'user', content: text };
    expect(inputOf([user], one)).toEqual([user]);
  });

  it('has a call once, and none that it has already', () => {
    const one = answer([READ]);
    expect(inputOf([...one.output, ...one.output], one)).toEqual([READ, told(READ), ...one.output]);
    expect(inputOf([READ, ...one.output], one)).toEqual([READ, ...one.output]);
  });

  it('has no reference to a note that is not known or was there before, as after a restart', () => {
    const one = answer([READ]);
    const [note] = one.output as readonly [Item];
    const known = { type: 'item_reference', id: note['id'] };
    const unknown = { type: 'item_reference', id: 'msg_clawai_0123456789abcdef' };
    const others = [{ type: 'item_reference', id: 'rs_1' }, { id: 'msg_1' }];
    expect(inputOf([unknown, USER, ...others, unknown, { id: unknown.id }], one)).toEqual([USER, ...others]);
    expect(inputOf([USER, known, known], one)).toEqual([USER, READ, told(READ)]);
    expect(inputOf([unknown], one)).toEqual([]);
    const said = { ...message('[clawai blk_0123456789abcdef] No.'), id: unknown.id };
    expect(inputOf([said], one)).toEqual([said]);
  });

  it('has no result of the client for a denied call, except beside a call that the client has', () => {
    const one = answer([READ]);
    const denied = { denied: createLedger('k', [READ['call_id']]) };
    const own = { ...told(READ), output: 'made up' };
    expect(inputOf([...one.output, own], { denied: Object.assign(one.denied, { isDenied: () => true }) })).toEqual([
      READ,
      told(READ),
    ]);
    expect(inputOf([own, USER], denied)).toEqual([USER]);
    expect(inputOf([READ, own], denied)).toEqual([READ, own]);
    expect(inputOf([own], { denied: createLedger() })).toEqual([own]);
    const yes = { type: 'mcp_approval_response', approval_request_id: READ['call_id'], approve: true };
    const question = { type: 'mcp_approval_request', id: READ['call_id'] };
    expect(inputOf([question, yes], denied)).toEqual([question]);
  });

  it('does not have calls that were made in the words of the other API', () => {
    const denied = createLedger();
    const chat = JSON.stringify({ id: 'c', type: 'function', function: { name: 'read', arguments: '{}' } });
    const of = { id: 'c', name: 'read' };
    const note = { role: 'assistant', content: denied.note(tellable(chat, of), 'No.') };
    expect(inputOf([note], { denied })).toEqual([note]);
    const one = answer([READ]);
    const [item] = one.output as readonly [Item];
    const { text } = (item['content'] as readonly [{ text: string }])[0];
    const messages = JSON.stringify({ messages: [{ role: 'assistant', content: text }] });
    expect(restoreChat(messages, one.denied)).toBe(messages);
  });
});

describe('a continued answer', () => {
  const previous = { previous_response_id: 'resp_1' };

  it('has only the results, before the rest of the input', () => {
    const one = answer([READ, WRITE]);
    const results = [told(READ), told(WRITE)];
    expect(restored({ ...previous, input: [USER] }, one)).toEqual({ model: 'm', ...previous, input: [...results, USER] });
    expect(restored({ ...previous, input: [] }, one)['input']).toEqual(results);
    expect(restored({ ...previous, input: 'Do it.' }, one)['input']).toEqual([...results, USER]);
    expect(restored(previous, one)['input']).toEqual(results);
    expect(restored({ previous_response_id: 'resp_2', input: [USER] }, one)['input']).toEqual([USER]);
  });

  it('has them in a conversation until the provider has them', () => {
    const one = answer([READ], { conversation: { id: 'conv_1' } });
    const body = { conversation: 'conv_1', input: [USER] };
    expect(restored(body, one)['input']).toEqual([told(READ), USER]);
    one.denied.settle('conv_1');
    expect(restored(body, one)['input']).toEqual([USER]);
  });

  it('has no results and no consent of the client to what was denied', () => {
    const question = { type: 'mcp_approval_request', id: 'q', server_label: 's', name: 'n', arguments: '{}' };
    const one = answer([READ, question]);
    const own = { ...told(READ), output: 'made up' };
    const yes = { type: 'mcp_approval_response', approval_request_id: 'q', approve: true };
    const no = { type: 'mcp_approval_response', approval_request_id: 'q', approve: false, reason: WHY };
    const inputs: readonly (readonly object[])[] = [[own, yes], [yes], [question, yes]];
    for (const input of inputs)
      expect(restored({ ...previous, input: [USER, ...input, USER] }, one)['input']).toEqual(
        input.includes(question) ? [told(READ), USER, question, USER] : [told(READ), no, USER, USER],
      );
    expect(restored({ ...previous, input: [own, yes] }, one)['input']).toEqual([told(READ), no]);
  });

  it('is that of its id where the conversation has an empty one', () => {
    const one = answer([READ]);
    expect(restored({ ...previous, conversation: '', input: [USER] }, one)['input']).toEqual([told(READ), USER]);
    expect(restored({ ...previous, conversation: { id: '' }, input: [USER] }, one)['input']).toEqual([told(READ), USER]);
  });
});

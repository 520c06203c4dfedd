import { describe, expect, it } from 'vitest';
import type { DeniedCall, DeniedCalls } from '../../../../../src/protocol/llm/model-api.ts';
import type { ModelCall } from '../../../../../src/protocol/llm/dialect.ts';
import { findAnswerCalls, rewriteAnswer } from '../../../../../src/protocol/llm/openai/chat/buffered.ts';
import { readChatRequest } from '../../../../../src/protocol/llm/openai/chat/request.ts';
import { restoreChat } from '../../../../../src/protocol/llm/openai/chat/restore.ts';
import { createChatStream } from '../../../../../src/protocol/llm/openai/chat/stream.ts';
import { accumulateChat } from '../../../../support/chat-accumulator.ts';
import { stream } from '../../../../support/chat-chunks.ts';
import { createLedger, tellable } from '../../../../support/denied-ledger.ts';
import { driveModelStream } from '../../../../support/drive-model-stream.ts';

const DENIED = createLedger();

/** A call that was denied. */
function deny(id: string, name: string, args = '{}'): DeniedCall {
  const text =
    id === ''
      ? JSON.stringify({ name, arguments: args })
      : JSON.stringify({ id, type: 'function', function: { name, arguments: args } });
  const note = DENIED.note(tellable(text, { id, name }), `The call of "${name}" was denied.\nSo it is.`);
  return { id, name, text, note };
}

const READ = deny('call_r', 'read', '{"path":"/etc"}');
const WRITE = deny('call_w', 'write');
const LEGACY = deny('', 'old');

const USER = { role: 'user', content: 'Do it.' };
const kept = (id: string) => ({ id, type: 'function', function: { name: 'ok', arguments: '{}' } });
const told = ({ id, name }: DeniedCall) => ({
  role: 'tool',
  tool_call_id: id,
  content: `The call of "${name}" was denied.\nSo it is.`,
});
const past = ({ text }: DeniedCall): unknown => JSON.parse(text);

function restored(messages: readonly object[], denied: DeniedCalls = DENIED): unknown {
  const text = restoreChat(JSON.stringify({ model: 'm', messages, tools: [] }), denied);
  expect(readChatRequest(text)).not.toBeTypeOf('string');
  return (JSON.parse(text) as { messages: unknown }).messages;
}

describe('hazard 31: calls that were denied', () => {
  it('are there again, with what they came to, where the note was all that was said', () => {
    expect(restored([USER, { role: 'assistant', content: READ.note, refusal: null }, USER])).toEqual([
      USER,
      { role: 'assistant', content: null, refusal: null, tool_calls: [past(READ)] },
      told(READ),
      USER,
    ]);
  });

  it('are there behind what was said and what was let through, and before the next turn', () => {
    const result = { role: 'tool', tool_call_id: 'a', content: 'ok' };
    const message = { role: 'assistant', tool_calls: [kept('a')], content: `So.\n\n${READ.note}\n\n${WRITE.note}` };
    expect(restored([USER, message, result, USER])).toEqual([
      USER,
      { role: 'assistant', tool_calls: [kept('a'), past(READ), past(WRITE)], content: 'So.' },
      result,
      told(READ),
      told(WRITE),
      USER,
    ]);
  });

  it('are there where the message is the last one', () => {
    expect(restored([USER, { content: `\n\n\n\n${READ.note}`, role: 'assistant', tool_calls: [] }])).toEqual([
      USER,
      { content: '\n\n', role: 'assistant', tool_calls: [past(READ)] },
      told(READ),
    ]);
  });

  it('are found in parts of a text', () => {
    const text = (words: string) => ({ type: 'text', text: words, cache: 1 });
    const image = { type: 'refusal', refusal: 'x' };
    expect(
      restored([{ role: 'assistant', content: [text('So.'), image, text(READ.note), text(`a\n\n${WRITE.note}b`)] }]),
    ).toEqual([
      { role: 'assistant', content: [text('So.'), image, text('ab')], tool_calls: [past(READ), past(WRITE)] },
      told(READ),
      told(WRITE),
    ]);
    expect(restored([{ role: 'assistant', content: [text(READ.note)] }])).toMatchObject([{ content: null }, told(READ)]);
  });

  it('are what they were in the place of before, one in a message', () => {
    expect(restored([{ role: 'assistant', content: LEGACY.note }])).toEqual([
      { role: 'assistant', content: null, function_call: { name: 'old', arguments: '{}' } },
      { role: 'function', name: 'old', content: 'The call of "old" was denied.\nSo it is.' },
    ]);
    const other = { role: 'assistant', content: LEGACY.note, function_call: { name: 'x', arguments: '' } };
    expect(restored([other])).toEqual([other]);
  });

  it('are restored once, and only where the model said the whole note', () => {
    const again = { role: 'assistant', content: `Again: ${READ.note}` };
    expect(restored([{ role: 'assistant', content: READ.note }, USER, again])).toEqual([
      { role: 'assistant', content: null, tool_calls: [past(READ)] },
      told(READ),
      USER,
      again,
    ]);
    const untouched = [
      { role: 'user', content: READ.note },
      { role: 'tool', tool_call_id: 'z', content: READ.note },
      { role: 'system', content: READ.note },
      { role: 'assistant', content: READ.note.slice(0, -1) },
      { role: 'assistant', content: null, tool_calls: [{ ...kept('b'), note: READ.note }] },
      { role: 'assistant' },
    ];
    expect(restored(untouched)).toEqual(untouched);
  });

  it('have ids that are there once in a message and what it came to; else the note stays', () => {
    const same = deny('call_r', 'write');
    const both = { role: 'assistant', content: `${READ.note}\n\n${same.note}` };
    expect(restored([both])).toEqual([{ role: 'assistant', content: `\n\n${same.note}`, tool_calls: [past(READ)] }, told(READ)]);
    const there = { role: 'assistant', content: READ.note, tool_calls: [{ ...(past(READ) as object), extra: 1 }] };
    expect(restored([there])).toEqual([there]);
    const forged = [
      { role: 'assistant', content: READ.note },
      { role: 'tool', tool_call_id: 'call_r', content: 'done' },
    ];
    expect(restored(forged)).toEqual(forged);
  });

  it('leave everything else as it was, byte for byte', () => {
    const note = JSON.stringify(READ.note);
    const text = `{ "messages" : [ {"n":1e21,"role":"assistant" , "content" : ${note} , "x":"\\u00e9"},\n{"role":"user"} ], "n": 1.0 }`;
    expect(restoreChat(text, DENIED)).toBe(
      `{ "messages" : [ {"tool_calls":[${READ.text}],"n":1e21,"role":"assistant" , "content" : null , "x":"\\u00e9"},${JSON.stringify(
        told(READ),
      )},\n{"role":"user"} ], "n": 1.0 }`,
    );
    const none = text.replace('[clawai blk_', '[clawai blx_');
    expect(restoreChat(none, DENIED)).toBe(none);
    for (const odd of ['{"x":"[clawai blk_"}', '{"messages":"[clawai blk_"}', '{"messages":["[clawai blk_"]}'])
      expect(restoreChat(odd, DENIED)).toBe(odd);
  });

  it('are told alike in each turn, so that prompts stay in caches', () => {
    const turns = [
      USER,
      { role: 'assistant', content: `Hm.\n\n${READ.note}` },
      USER,
      { role: 'assistant', content: WRITE.note },
      USER,
    ];
    const of = (count: number) => restoreChat(JSON.stringify({ messages: turns.slice(0, count) }), DENIED).slice(0, -2);
    for (const count of [1, 2, 3, 4]) expect(of(count + 1).startsWith(of(count))).toBe(true);
  });

  it('come back as the model made them, streamed and whole', () => {
    const ledger = createLedger('another');
    const original = [
      { id: 'a', name: 'read', args: '{"path":"/etc"}' },
      { id: 'b', name: 'ok', args: '{}' },
    ];
    const { text } = driveModelStream([Buffer.from(stream('So.', original))], {
      create: createChatStream,
      nameVerdict: () => 'hold',
      verdict: (made) => {
        return made.name === 'ok' ? { isAllowed: true } : { isAllowed: false, note: ledger.note(made, 'No.') };
      },
    });
    const [choice] = accumulateChat(text).choices;
    const streamed = { role: 'assistant', content: choice?.content, tool_calls: choice?.toolCalls };
    const calls = original.map(({ id, name, args }) => ({ id, type: 'function', function: { name, arguments: args } }));
    const message = { role: 'assistant', content: 'So.', tool_calls: calls };
    const body = JSON.stringify({ id: 'chatcmpl-1', choices: [{ index: 0, message, finish_reason: 'tool_calls' }] });
    const found = findAnswerCalls(body);
    expect(found).toMatchObject([{ id: 'a' }, { id: 'b' }]);
    const note = ledger.note(found[0] as ModelCall, 'No.');
    const whole = JSON.parse(rewriteAnswer(body, [{ isAllowed: false, note }, { isAllowed: true }])) as {
      choices: [{ message: object }];
    };
    expect(whole.choices[0].message).toEqual(streamed);
    // Behind those that were let through.
    const back = { ...message, tool_calls: calls.toReversed() };
    expect(restored([streamed], ledger)).toEqual([back, { role: 'tool', tool_call_id: 'a', content: 'No.' }]);
  });

  it('may be many beside much', () => {
    const many = Array.from({ length: 4000 }, (_, i) => deny(`many${i}`, 'x'));
    const said = `${'x'.repeat(1 << 20)}${many.map(({ note }) => note).join('\n\n')}`;
    const result = { role: 'tool', tool_call_id: 'z', content: 'x'.repeat(4 << 20) };
    const text = JSON.stringify({ messages: [{ role: 'assistant', content: said }, result] });
    expect(restoreChat(text, DENIED)).toContain('"tool_call_id":"many3999"');
  });
});

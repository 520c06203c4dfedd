import { describe, expect, it } from 'vitest';
import { choiceSpans, formatChunk, readChunk } from '../../../../../src/protocol/llm/openai/chat/chunk.ts';
import { SseSplitter } from '../../../../../src/protocol/sse/splitter.ts';
import { finish, frame, part } from '../../../../support/chat-chunks.ts';

type Read = ReturnType<typeof readChunk>;

function read(text: string): Read {
  const made: Read[] = [];
  new SseSplitter({ maxFrame: 1 << 20 }).push(Buffer.from(text), (event) =>
    made.push(readChunk(event, event.data ?? Buffer.alloc(0))),
  );
  expect(made).toHaveLength(1);
  return made[0] as Read;
}

describe('an event', () => {
  it('is a chunk with choices', () => {
    const delta = { tool_calls: [part(0, { id: 'a' })], function_call: { name: 'x' } };
    expect(read(frame({ id: 'i', choices: [{ index: 2, delta, finish_reason: 'stop' }, { index: 0 }] }))).toMatchObject({
      kind: 'chunk',
      payload: { id: 'i' },
      choices: [
        { index: 2, delta, toolCalls: delta.tool_calls, functionCall: { name: 'x' }, finish: 'stop' },
        { index: 0, delta: {}, toolCalls: [], functionCall: undefined, finish: undefined },
      ],
      isPlain: true,
    });
    expect(read(frame({ choices: [{ delta: { tool_calls: null, function_call: null }, finish_reason: '' }] }))).toMatchObject({
      choices: [{ index: 0, toolCalls: [], functionCall: undefined, finish: undefined }],
    });
    const message = { role: 'assistant', tool_calls: [], function_call: null };
    expect(read(frame({ choices: [{ index: 0, delta: {}, message }] }))).toMatchObject({ kind: 'chunk', isPlain: true });
    expect(read(frame({ choices: null }))).toMatchObject({ kind: 'chunk', choices: [] });
  });

  it.each<[string, string]>([
    ['data: [DONE]\n\n', 'done'],
    ['data:  [DONE] \n\n', 'done'],
    ['event: x\ndata: [DONE]\n\n', 'done'],
    ['data:\n\n', 'nothing'],
    ['data: {"type":"ping"}\n\n', 'nothing'],
    ['data: {"type":"ping","choices":[]}\n\n', 'chunk'],
    ['data: {"error":null,"choices":[]}\n\n', 'chunk'],
    ['data: {"error":{"message":"x"}}\n\n', 'error'],
    ['data: {"error":"x","choices":[]}\n\n', 'error'],
    ['event: error\ndata: {"message":"x"}\n\n', 'error'],
  ])('%j is %s', (text, kind) => {
    expect(read(text)).toMatchObject({ kind });
  });

  it.each<[string, boolean, string]>([
    [finish('stop'), true, finish('stop')],
    ['event: x\ndata: {"choices":[]}\n\n', false, 'data: {"choices":[]}\n\n'],
    ['id: 7\nretry: 5\ndata: {"a":1}\n\n', true, 'id: 7\nretry: 5\ndata: {"a":1}\n\n'],
    ['data: {"a":\ndata: 1}\n\n', false, 'data: {"a": 1}\n\n'],
    ['data: {"a":1,"a":2}\n\n', false, 'data: {"a":2}\n\n'],
    ['data: {"a":"\u2028"}\n\n', false, 'data: {"a":"\\u2028"}\n\n'],
    ['event: error\ndata: {"m":"x"}\n\n', false, 'data: {"error":{"m":"x"}}\n\n'],
  ])('%j is plain: %s', (text, isPlain, canonical) => {
    const chunk = read(text);
    if (typeof chunk === 'string' || !('data' in chunk)) throw new Error('no chunk');
    expect([chunk.isPlain, formatChunk(chunk, chunk.data)]).toEqual([isPlain, canonical]);
  });

  it('has choices at places', () => {
    const chunk = read('data: {"choices" : [ {"index":0} ,{"index":1}]}\n\n');
    if (typeof chunk === 'string' || !('data' in chunk)) throw new Error('no chunk');
    expect(choiceSpans(chunk).map(({ start, end }) => chunk.data.slice(start, end))).toEqual(['{"index":0}', '{"index":1}']);
    expect(choiceSpans({ ...chunk, data: '{}' })).toEqual([]);
  });
});

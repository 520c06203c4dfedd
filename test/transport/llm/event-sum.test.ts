import { describe, expect, it } from 'vitest';
import { EventSum } from '../../../src/transport/llm/event-sum.ts';

function add(sum: EventSum, event: unknown): void {
  const data = Buffer.from(`xx${typeof event === 'string' ? event : JSON.stringify(event)}xx`);
  sum.add({ data, dataStart: 2, dataEnd: data.length - 2 });
}

function sumOf(...events: readonly unknown[]): object {
  const sum = new EventSum();
  for (const event of events) add(sum, event);
  return sum.toJson();
}

describe('the events of a stream add up to what they say', () => {
  it("of Anthropic's API", () => {
    const delta = (index: number, type: string, piece: object): object => ({
      type: 'content_block_delta',
      index,
      delta: { type, ...piece },
    });
    expect(
      sumOf(
        { type: 'message_start', message: { id: 'msg_1', usage: { input_tokens: 3 } } },
        { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'toolu_1', name: 'Bash' } },
        delta(0, 'text_delta', { text: 'Well, ' }),
        delta(1, 'input_json_delta', { partial_json: '{"password":' }),
        delta(0, 'text_delta', { text: 'well.' }),
        delta(1, 'input_json_delta', { partial_json: '"hunter2"}' }),
        { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
      ),
    ).toMatchObject({
      message_start: { 'message.id': 'msg_1', 'message.usage.input_tokens': 3 },
      'content_block_start 1': { 'content_block.name': 'Bash' },
      'content_block_delta 0': { 'delta.type': 'text_delta', 'delta.text': 'Well, well.' },
      'content_block_delta 1': { 'delta.partial_json': { password: 'hunter2' } },
      message_delta: { 'delta.stop_reason': 'tool_use', 'usage.output_tokens': 9 },
    });
  });

  it("of OpenAI's, whose ids come with each event", () => {
    const chunk = (delta: object): object => ({ id: 'chatcmpl-1', choices: [{ index: 0, delta }] });
    const args = (text: string): object => ({ tool_calls: [{ index: 0, function: { arguments: text } }] });
    expect(sumOf(chunk({ content: 'We' }), chunk({ content: 'll' }), chunk(args('{"a"')), chunk(args(':1}')), '[DONE]')).toEqual({
      event: {
        id: 'chatcmpl-1',
        'choices.0.index': 0,
        'choices.0.delta.content': 'Well',
        'choices.0.delta.tool_calls.0.index': 0,
        'choices.0.delta.tool_calls.0.function.arguments': { a: 1 },
      },
    });
  });

  it("of OpenAI's responses and of Gemini", () => {
    const piece = (delta: string): object => ({ type: 'response.output_text.delta', output_index: 1, content_index: 0, delta });
    expect(sumOf(piece('a'), piece('b'))).toMatchObject({ 'response.output_text.delta 1 0': { delta: 'ab' } });
    const part = (text: string): object => ({ candidates: [{ content: { parts: [{ text }] } }] });
    expect(sumOf(part('a'), part('a'))).toEqual({ event: { 'candidates.0.content.parts.0.text': 'aa' } });
  });
});

describe('what is kept of a stream', () => {
  it('has bounds, and says where they were reached', () => {
    const sum = new EventSum();
    const text = 'x'.repeat(100_000);
    for (let i = 0; i < 20; i++) add(sum, { type: 't', delta: text });
    expect(sum.isCut).toBe(true);
    expect(JSON.stringify(sum.toJson()).length).toBeLessThan(1_100_000);
    const big = new EventSum();
    add(big, { type: 't', delta: 'x'.repeat(300_000) });
    expect([big.isCut, big.toJson()]).toEqual([true, {}]);
  });

  it('is nothing of what is no JSON object, and all of what nests', () => {
    expect(sumOf('', '[1]', 'null', '{', '"{"')).toEqual({});
    const sum = new EventSum();
    sum.add({ data: undefined, dataStart: 0, dataEnd: 0 });
    expect(sum.isCut).toBe(false);
    const deep = JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`) as object;
    expect(JSON.stringify(sumOf(deep))).toContain('a.a.a');
  });
});

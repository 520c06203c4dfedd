import { describe, expect, it } from 'vitest';
import { redactJson } from '../../../src/core/dlp/redact-json.ts';
import type { JsonObject } from '../../../src/core/json.ts';
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
      message_start: { message: { id: 'msg_1', usage: { input_tokens: 3 } } },
      'content_block_start 1': { content_block: { name: 'Bash' } },
      'content_block_delta 0': { delta: { type: 'text_delta', text: 'Well, well.' } },
      'content_block_delta 1': { delta: { partial_json: { password: 'hunter2' } } },
      message_delta: { delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
    });
  });

  it("of OpenAI's, whose ids come with each event", () => {
    const chunk = (delta: object): object => ({ id: 'chatcmpl-1', choices: [{ index: 0, delta }] });
    const args = (text: string): object => ({ tool_calls: [{ index: 0, function: { arguments: text } }] });
    expect(sumOf(chunk({ content: 'We' }), chunk({ content: 'll' }), chunk(args('{"a"')), chunk(args(':1}')), '[DONE]')).toEqual({
      event: {
        id: 'chatcmpl-1',
        choices: [{ index: 0, delta: { content: 'Well', tool_calls: [{ index: 0, function: { arguments: { a: 1 } } }] } }],
      },
    });
  });

  it("of OpenAI's responses and of Gemini", () => {
    const piece = (delta: string): object => ({ type: 'response.output_text.delta', output_index: 1, content_index: 0, delta });
    expect(sumOf(piece('a'), piece('b'))).toMatchObject({ 'response.output_text.delta 1 0': { delta: 'ab' } });
    const part = (text: string): object => ({ candidates: [{ content: { parts: [{ text }] } }] });
    expect(sumOf(part('a'), part('a'))).toEqual({ event: { candidates: [{ content: { parts: [{ text: 'aa' }] } }] } });
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

  it.each<[string, (at: number) => object]>([
    [
      'deep down',
      (at) =>
        Array.from({ length: 20 }).reduce<object>((inner, _, depth) => ({ [depth === 10 ? `k${at}` : 'd']: inner }), {
          d: 'x'.repeat(200_000),
        }),
    ],
    ['in the place of what was short', (at) => ({ [`k${at % 200}`]: at < 200 ? '' : 'x'.repeat(200_000) })],
  ])('has bounds for what lies %s', (_where, eventOf) => {
    const sum = new EventSum();
    for (let at = 0; at < 400; at++) add(sum, eventOf(at));
    expect(sum.isCut).toBe(true);
    expect(JSON.stringify(sum.toJson()).length).toBeLessThan(1_100_000);
  });

  it('is nothing of what is no JSON object, and all of what nests', () => {
    expect(sumOf('', '[1]', 'null', '{', '"{"')).toEqual({});
    const sum = new EventSum();
    sum.add({ data: undefined, dataStart: 0, dataEnd: 0 });
    expect(sum.isCut).toBe(false);
    const deep = JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`) as object;
    expect(JSON.stringify(sumOf(deep))).toContain('{"a":{"a":{"a":');
  });

  it('has so many values at most', () => {
    const sum = new EventSum();
    add(sum, `{"type":"t","list":[${'1,'.repeat(120_000)}1]}`);
    expect(sum.isCut).toBe(true);
    expect(JSON.stringify(sum.toJson()).length).toBeLessThan(100_000);
  });

  it('is nothing of what comes behind a gap', () => {
    const sum = new EventSum();
    const delta = (text: string): void => add(sum, { type: 't', delta: text });
    for (let i = 0; i < 10; i++) delta('x'.repeat(100_000));
    delta(`${'x'.repeat(60_000)} ghp_`);
    delta('A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8');
    expect(sum.isCut).toBe(true);
    expect(JSON.stringify(sum.toJson())).not.toContain('A1b2C3');
  });
});

describe('a secret is seen', () => {
  const SECRET = 'ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8';
  const [head, tail] = [SECRET.slice(0, 9), SECRET.slice(9)];
  const gemini = (jsonPath: string, stringValue: string): object => ({
    candidates: [{ content: { parts: [{ functionCall: { partialArgs: [{ jsonPath, stringValue, willContinue: true }] } }] } }],
  });
  const choice = (index: number, content: string): object => ({ choices: [{ index, delta: { content } }] });

  it.each<[string, readonly object[]]>([
    ['in the pieces of arguments that Gemini sends', [gemini('$.command', head), gemini('$.command', tail)]],
    ['in two answers that come by turns', [choice(0, head), choice(1, 'Well'), choice(0, tail)]],
    ['in the texts of completions', [{ choices: [{ text: head }] }, { choices: [{ text: tail }] }]],
  ])('%s', (_, events) => {
    const { json } = redactJson(sumOf(...events) as JsonObject);
    expect(json).toContain('[redacted:github_token]');
    expect(json).not.toContain(tail);
  });

  it.each<[string, object]>([
    ['by the name of an argument', { content_block: { input: { token: 'hunter2' } } }],
    ['by the path of an argument', gemini('$.password', 'hunter2')],
    ['by the label beside it', { content_block: { input: { headers: [{ name: 'X-Api-Key', value: 'hunter2' }] } } }],
    ['by the flag before it', { content_block: { input: { args: ['--password', 'hunter2'] } } }],
  ])('%s', (_, event) => {
    expect(redactJson(sumOf({ type: 't', ...event }) as JsonObject).json).not.toContain('hunter2');
  });
});

import { describe, expect, it } from 'vitest';
import { findAnswerCalls, rewriteAnswer } from '../../../../../src/protocol/llm/openai/chat/buffered.ts';

const NO = { isAllowed: false, note: '[clawai] No.' } as const;
const YES = { isAllowed: true } as const;
const call = (id: string, name: string, args: string) => ({ id, type: 'function', function: { name, arguments: args } });
const READ = call('a', 'read', '{"path":"/a"}');
const WRITE = call('b', 'write', '{}');
const legacy = { name: 'old', arguments: '{}' };

function answer(...messages: readonly object[]): string {
  const choices = messages.map((message, index) => ({ index, message, finish_reason: 'tool_calls' }));
  return JSON.stringify({ id: 'c1', choices, usage: { total_tokens: 3 } });
}

function rewritten(text: string, ...verdicts: readonly (typeof NO | typeof YES)[]): unknown[] {
  const { choices, ...rest } = JSON.parse(rewriteAnswer(text, verdicts)) as {
    choices: { message: unknown; finish_reason: string }[];
  };
  expect(rest).toEqual({ id: 'c1', usage: { total_tokens: 3 } });
  return choices.map(({ message, finish_reason: reason }) => [message, reason]);
}

describe('a whole answer', () => {
  it('has calls, those of all choices and of all kinds (hazard 26)', () => {
    const custom = { id: 'c', type: 'custom', custom: { name: 'shell', input: 'ls' } };
    const found = findAnswerCalls(
      answer({ tool_calls: [READ, WRITE, custom] }, { function_call: legacy }, { content: 'x', tool_calls: null }),
    );
    expect(found).toMatchObject([
      { id: 'a', name: 'read', args: '{"path":"/a"}', problem: undefined, answer: 'c1', runBy: 'client' },
      { id: 'b', name: 'write', args: '{}', problem: undefined },
      { id: 'c', name: 'shell', args: '{"input":"ls"}' },
      { id: '', name: 'old', args: '{}' },
    ]);
    const history = typeof found === 'string' ? [] : found.map(({ inHistory }): unknown => JSON.parse(inHistory?.() ?? ''));
    expect(history).toEqual([READ, WRITE, custom, legacy]);
  });

  it('whose call has no id, or arguments that readers differ on, can not be told again', () => {
    const odd = { ...READ, function: { name: 'x', arguments: '{"a":' } };
    expect(findAnswerCalls(answer({ tool_calls: [odd] }))).toEqual([
      expect.not.objectContaining({ inHistory: expect.anything() }),
    ]);
    const { id: _id, ...bare } = READ;
    expect(findAnswerCalls(answer({ tool_calls: [bare] }))).toEqual([
      expect.not.objectContaining({ inHistory: expect.anything() }),
    ]);
  });

  it.each<[string, object, object]>([
    ['nothing is said', { role: 'assistant', content: null, tool_calls: [READ] }, { role: 'assistant', content: NO.note }],
    ['content is empty', { tool_calls: [READ], content: '' }, { content: NO.note }],
    ['there is no content', { role: 'assistant', tool_calls: [READ] }, { content: NO.note, role: 'assistant' }],
    ['there is nothing else', { tool_calls: [READ] }, { content: NO.note }],
    ['something is said', { content: 'So.', refusal: null, tool_calls: [READ] }, { content: `So.\n\n${NO.note}`, refusal: null }],
    [
      'it is said in parts',
      { content: [{ type: 'text', text: 'So.' }], tool_calls: [READ] },
      {
        content: [
          { type: 'text', text: 'So.' },
          { type: 'text', text: NO.note },
        ],
      },
    ],
    ['it is said in no parts', { content: [], tool_calls: [READ] }, { content: [{ type: 'text', text: NO.note }] }],
    ['it is of before', { function_call: legacy, content: null }, { content: NO.note }],
  ])('has a note in the place of a call where %s', (_what, message, left) => {
    expect(rewritten(answer(message), NO)).toEqual([[left, 'stop']]);
  });

  it('has the others, and the reason that they are there, by choice', () => {
    const text = answer(
      { content: 'x', tool_calls: [READ, WRITE, { ...READ, id: 'c' }] },
      { content: null, tool_calls: [READ], function_call: legacy },
    );
    expect(rewritten(text, YES, NO, YES, NO, NO)).toEqual([
      [{ content: `x\n\n${NO.note}`, tool_calls: [READ, { ...READ, id: 'c' }] }, 'tool_calls'],
      [{ content: `${NO.note}\n\n${NO.note}` }, 'stop'],
    ]);
    expect(rewritten(text, NO, NO, NO, YES, NO)).toEqual([
      [{ content: ['x', NO.note, NO.note, NO.note].join('\n\n') }, 'stop'],
      [{ content: NO.note, tool_calls: [READ] }, 'tool_calls'],
    ]);
  });

  it('is byte for byte the same besides (hazard 28), its reason too where it is no tool reason (hazard 25)', () => {
    const text = `{ "n":1e21,"choices":[ {"finish_reason" : "length","message":{"tool_calls" : [${JSON.stringify(READ)} , ${JSON.stringify(WRITE)}],"x":1.0 ,"content":null} , "logprobs":{}} ] }\n`;
    expect(rewriteAnswer(text, [YES, YES])).toBe(text);
    expect(rewriteAnswer(text, [NO, YES])).toBe(text.replace(`${JSON.stringify(READ)} , `, '').replace('null', '"[clawai] No."'));
    expect(rewriteAnswer(text, [])).toContain('"finish_reason" : "length","message":{"x":1.0 ,"content":"[clawai] The call of');
  });

  it.each(['{"error":{"message":"x"}}', '{"choices":null}', '{"choices":[]}', '{"choices":[{"message":null},{"index":1}]}'])(
    'without messages has no calls: %s',
    (text) => {
      expect(findAnswerCalls(text)).toEqual([]);
      expect(rewriteAnswer(text, [])).toBe(text);
    },
  );

  it.each<[string, string]>([
    ['x', 'it is not JSON'],
    ['[]', 'it is no object'],
    ['{"Choices":[]}', 'it has a key that some readers take for another'],
    ['{"choices":{}}', 'its choices cannot be read'],
    ['{"choices":[1]}', 'a choice in it is no object'],
    ['{"choices":[{"Message":{}}]}', 'it has a key that some readers take for another'],
    ['{"choices":[{"message":1}]}', 'a message in it is no object'],
    ['{"choices":[{"message":{"tool_Calls":[]}}]}', 'it has a key that some readers take for another'],
    ['{"choices":[{"message":{"tool_calls":{}}}]}', 'a call in it cannot be read'],
    ['{"choices":[{"message":{"tool_calls":[1]}}]}', 'a call in it cannot be read'],
    ['{"choices":[{"message":{"function_call":"x"}}]}', 'a call in it cannot be read'],
    ['{"choices":[{"message":{"tool_calls":[{"id":"a"}]}}]}', 'a call in it has no name'],
    ['{"choices":[{"message":{"tool_calls":[{"function":{"Name":"x"}}]}}]}', 'it has a key that some readers take for another'],
    ['{"choices":[{"message":{"tool_calls":[],"tool_calls":[]}}]}', 'a key occurs twice in it, or it is nested too deeply'],
  ])('may be one that nobody can read: %s', (text, why) => {
    expect(findAnswerCalls(text)).toBe(why);
    expect(() => rewriteAnswer(text, [])).toThrow(why);
  });
});

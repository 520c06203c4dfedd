import { describe, expect, it } from 'vitest';
import type { TextsName } from '../../../../src/protocol/llm/model-api.ts';
import { saidMembers, type SaidText, saidTexts } from '../../../../src/protocol/llm/said/said-texts.ts';

/** The words of a request, in short, and how many messages it has. */
function wordsOf(api: TextsName, request: Readonly<Record<string, unknown>>): unknown {
  const found: SaidText[] = [];
  const steps = saidTexts(saidMembers(request, api), api);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return [step.value, ...found.map(({ by, text, at }) => `${by} ${at}: ${text}`)];
    found.push(...step.value);
  }
}

const text = (words: string, more = {}): object => ({ type: 'text', text: words, ...more });
const input = (words: string): object => ({ type: 'input_text', text: words });

describe('words of the user and of the system', () => {
  it.each<[string, TextsName, Readonly<Record<string, unknown>>, readonly unknown[]]>([
    [
      'Anthropic',
      'anthropic',
      {
        system: [text('Be good.', { cache_control: { type: 'ephemeral' } })],
        messages: [
          { role: 'user', content: 'One.' },
          { role: 'assistant', content: [text('Two.'), { type: 'tool_use', id: 'a', name: 'x', input: { a: 'Three.' } }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'Four.' }, text('Five.')] },
          { role: 'user', content: [text('Six.'), { type: 'image', source: { type: 'url', url: 'Seven.' } }] },
          { role: 'user', content: [{ type: 'document', title: 'Eight.', source: { type: 'text', data: 'Nine.' } }] },
          { role: 'user', content: [text('Ten.', { kind: 'unknown' })] },
          { role: 'system', content: 'Eleven.' },
        ],
      },
      [7, 'system -1: Be good.', 'user 0: One.', 'user 3: Six.', 'system 6: Eleven.'],
    ],
    ['Anthropic, with a plain system', 'anthropic', { system: 'Be good.', messages: [] }, [0, 'system -1: Be good.']],
    [
      'Chat Completions',
      'chat',
      {
        messages: [
          { role: 'developer', content: 'Be good.' },
          { role: 'user', content: [text('One.'), { type: 'image_url', image_url: { url: 'Two.' } }] },
          { role: 'assistant', content: 'Three.', tool_calls: [] },
          { role: 'tool', tool_call_id: 'a', content: 'Four.' },
          { role: 'function', name: 'f', content: 'Five.' },
          { role: 'User', content: 'Six.' },
          { role: 'user', content: [{ type: 'refusal', refusal: 'Seven.' }] },
        ],
      },
      [7, 'system 0: Be good.', 'user 1: One.'],
    ],
    [
      'Responses',
      'responses',
      {
        instructions: 'Be good.',
        input: [
          { role: 'developer', content: [input('Be better.')] },
          { type: 'message', role: 'user', content: [input('One.'), { type: 'input_file', file_data: 'Two.' }] },
          { type: 'function_call_output', call_id: 'a', output: 'Three.' },
          { type: 'function_call_output', role: 'user', content: 'Four.', call_id: 'a' },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Five.' }] },
          { type: 'reasoning', summary: [] },
        ],
      },
      [6, 'system -1: Be good.', 'system 0: Be better.', 'user 1: One.'],
    ],
    ['Responses, a lone text', 'responses', { input: 'One.' }, [1, 'user 0: One.']],
    [
      'Gemini',
      'gemini',
      {
        systemInstruction: { parts: [{ text: 'Be good.' }] },
        contents: [
          { role: 'user', parts: [{ text: 'One.' }, { inlineData: { mimeType: 'a/b', data: 'Two.' } }] },
          { role: 'model', parts: [{ text: 'Three.' }] },
          { role: 'user', parts: [{ functionResponse: { name: 'f', response: { a: 'Four.' } } }, { text: 'Five.' }] },
          { role: 'user', parts: [{ text: 'Six.', thought: true }] },
          { parts: [{ text: 'Seven.' }, { text: '--- Content from referenced files ---' }, { text: 'Eight.' }] },
          { role: 'function', parts: [{ text: 'Nine.' }] },
        ],
      },
      [6, 'system -1: Be good.', 'user 0: One.', 'user 4: Seven.'],
    ],
    [
      'Gemini, as REST spells it',
      'gemini',
      { system_instruction: { parts: { text: 'Be good.' } }, contents: { parts: { text: 'One.' } } },
      [1, 'system -1: Be good.', 'user 0: One.'],
    ],
  ])('%s', (_, api, request, words) => {
    expect(wordsOf(api, request)).toEqual(words);
  });

  it.each<TextsName>(['anthropic', 'chat', 'responses', 'gemini'])('%s: what has another shape has none', (api) => {
    for (const odd of [
      null,
      7,
      'x',
      [],
      [null, 7, ['x']],
      { content: [null] },
      [{ role: 'user' }],
      [{ role: 'user', content: [7] }],
    ]) {
      const request = { system: odd, messages: odd, contents: odd, systemInstruction: odd, instructions: odd };
      expect(() => wordsOf(api, request)).not.toThrow();
    }
  });
});

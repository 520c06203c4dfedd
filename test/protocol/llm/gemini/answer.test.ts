import { describe, expect, it } from 'vitest';
import { readAnswer } from '../../../../src/protocol/llm/gemini/answer.ts';
import { call, payload, text } from '../../../support/gemini-events.ts';

const read = (value: unknown) => readAnswer(JSON.stringify(value));

describe('an answer', () => {
  it('has its calls where they are, by candidate', () => {
    const value = {
      response_id: 'r',
      candidates: [
        { index: 1, content: { parts: [text('a'), call('n', { functionCall: { candidates: 1 } })] }, finish_reason: 'STOP' },
        { content: { parts: [call('m', {})] } },
        { finishReason: 'STOP' },
        null,
      ],
    };
    const source = JSON.stringify(value);
    const answer = readAnswer(source);
    if (typeof answer === 'string') throw new Error(answer);
    expect(answer).toMatchObject({ id: 'r', isError: false, finished: [1, 2] });
    expect(answer.parts.map(({ candidate, span }) => [candidate, JSON.parse(source.slice(span.start, span.end))])).toEqual([
      [1, call('n', { functionCall: { candidates: 1 } })],
      [1, call('m', {})],
    ]);
  });

  it.each([
    [{}],
    [{ promptFeedback: {} }],
    [{ candidates: [] }],
    [{ candidates: [{ content: {} }] }],
    [{ candidates: null }],
    [{ responseId: '' }],
  ])('%j has none', (value) => {
    expect(read(value)).toEqual({ id: undefined, isError: false, parts: [], finished: expect.any(Array) });
  });

  it('tells of a failure', () => {
    expect(read({ error: { code: 500 } })).toMatchObject({ isError: true });
    expect(read({ ...payload([]), error: null })).toMatchObject({ isError: false, id: 'r-1' });
  });

  it('a key that comes twice in the arguments is for those who read them', () => {
    const source = JSON.stringify(payload([call('n', { a: 1 })])).replace('{"a":1}', '{"a":1,"a":2}');
    expect(readAnswer(source)).toMatchObject({ parts: [{ part: { call: { problem: 'duplicate_key' } } }] });
  });

  it.each([
    ['[]', 'it is no object'],
    ['{', 'it is not JSON'],
    ['{"Candidates":[]}', /some readers take for another/],
    ['{"candidates":[{"Content":{}}]}', /some readers take for another/],
    ['{"candidates":[{"content":{"PARTS":[]}}]}', /some readers take for another/],
    ['{"usageMetadata":1,"usageMetadata":2}', /a key occurs twice/],
    [`{"a":${'['.repeat(200)}${']'.repeat(200)}}`, /nested too deeply/],
    ['{"other":{"deep":[{"functionCall":{}}]}}', 'a call is where none is expected'],
    ['{"candidates":[{"groundingMetadata":{"tool_call":{}}}]}', 'a call is where none is expected'],
    ['{"candidates":[{"content":[{"functionCall":{}}]}]}', 'a call is where none is expected'],
    ['{"candidates":[[{"content":{"parts":[{"functionCall":{}}]}}]]}', 'a call is where none is expected'],
    ['{"candidates":[{"content":{"parts":[[{"functionCall":{}}]]}}]}', 'a call is where none is expected'],
  ])('%s: %s', (source, problem) => {
    expect(readAnswer(source)).toMatch(problem);
  });
});

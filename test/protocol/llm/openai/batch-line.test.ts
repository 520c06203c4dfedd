import { describe, expect, it } from 'vitest';
import { findLineCalls, rewriteLine } from '../../../../src/protocol/llm/openai/batch-line.ts';

const CALL = { id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"/a"}' } };
const BODY = {
  id: 'c1',
  choices: [{ index: 0, message: { role: 'assistant', content: null, tool_calls: [CALL] }, finish_reason: 'stop' }],
};
const line = (body: unknown): string =>
  JSON.stringify({ id: 'b', custom_id: '1', response: { status_code: 200, body }, error: null });

describe('a line of a file', () => {
  it('has the calls of its answer', () => {
    expect(findLineCalls(line(BODY))).toMatchObject([{ id: 'a', name: 'read', args: '{"path":"/a"}' }]);
    const { response } = JSON.parse(rewriteLine(line(BODY), [{ isAllowed: false, note: 'no' }])) as {
      response: { body: typeof BODY };
    };
    expect(response.body.choices).toEqual([{ index: 0, message: { role: 'assistant', content: 'no' }, finish_reason: 'stop' }]);
  });

  it('has those of an answer of the Responses API', () => {
    const output = [
      { type: 'function_call', id: 'fc', call_id: 'a', name: 'read', arguments: '{"path":"/a"}' },
      { type: 'message', id: 'm', role: 'assistant', content: [] },
    ];
    const text = line({ id: 'resp_1', object: 'response', output });
    expect(findLineCalls(text)).toMatchObject([{ id: 'a', name: 'read', args: '{"path":"/a"}', answer: 'resp_1' }]);
    const rewritten = JSON.parse(rewriteLine(text, [{ isAllowed: false, note: 'no' }])) as {
      response: { body: { output: unknown[] } };
    };
    expect(rewritten.response.body.output).toEqual([
      expect.objectContaining({ type: 'message', content: [expect.objectContaining({ text: 'no' })] }),
      output[1],
    ]);
    expect(rewriteLine(text, [{ isAllowed: true }])).toBe(text);
  });

  it.each([
    'a,b',
    '{"a":',
    '\ufeff{"choices":[]}',
    '  "tool_calls": [',
    '1',
    'null',
    '[]',
    '{"custom_id":"1","response":null,"error":{}}',
    line('x'),
    line({ error: {} }),
    line(null),
  ])('that is no answer has none: %s', (text) => {
    expect(findLineCalls(text)).toEqual([]);
  });

  it.each<[string, string]>([
    [
      line({ output: [{ type: 'robot_call', name: 'read' }] }),
      'it has an item that clawai does not know ("robot_call"), which may be a tool call',
    ],
    [line({ ...BODY, output: [] }), 'it has a call where none is expected'],
    [`\ufeff${line({ output: [{ type: 'shell_call' }] })}`, 'it is not JSON to all readers'],
    [line(BODY).replace('null', '-Infinity'), 'it is not JSON to all readers'],
    [`\ufeff${line(BODY)}`, 'it is not JSON to all readers'],
    [`{}\r${line(BODY)}`, 'it is not JSON to all readers'],
    [`\ufeff${line(BODY).replace('tool_calls', String.raw`tool\u005fcalls`)}`, 'it is not JSON to all readers'],
    [`\ufeff${line({ output: [{ type: 'function_call', name: 'read' }] })}`, 'it is not JSON to all readers'],
    [line({ choices: {} }), 'its choices cannot be read'],
    [line(BODY).replace('"id":"b"', '"response":{},"id":"b"'), 'a key occurs twice in it, or it is nested too deeply'],
  ])('may be one that nobody can read: %s', (text, why) => {
    expect(findLineCalls(text)).toBe(why);
  });
});

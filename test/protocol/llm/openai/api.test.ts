import { describe, expect, it } from 'vitest';
import { openaiApi } from '../../../../src/protocol/llm/openai/api.ts';

const CALL = { id: 'a', type: 'function', function: { name: 'read', arguments: '{}' } };
const ANSWER = {
  id: 'c1',
  choices: [{ index: 0, message: { role: 'assistant', content: null, tool_calls: [CALL] }, finish_reason: 'tool_calls' }],
};

describe('the API', () => {
  it('is one dialect, whose files are told of by their ids', () => {
    expect(openaiApi.dialect).toBe('openai');
    const told = '{"id":"batch_1","output_file_id":"file-1","results_url":"https://a.example/v1/messages/batches/b/results"}';
    expect(openaiApi.moveResults(told, 'http://127.0.0.1:1')).toBe(told);
  });

  it('has answers whole, and one a line of a file', () => {
    const text = JSON.stringify(ANSWER);
    const line = JSON.stringify({ custom_id: '1', response: { status_code: 200, body: ANSWER }, error: null });
    expect(openaiApi.findCalls(text, 'body')).toMatchObject([{ id: 'a', answer: 'c1' }]);
    expect(openaiApi.findCalls(line, 'line')).toMatchObject([{ id: 'a', answer: 'c1' }]);
    expect(openaiApi.findCalls(text, 'line')).toEqual([]);
    const verdicts = [{ isAllowed: false, note: 'no' }] as const;
    for (const rewritten of [openaiApi.rewrite(text, verdicts, 'body'), openaiApi.rewrite(line, verdicts, 'line')]) {
      expect(rewritten).toContain('"message":{"role":"assistant","content":"no"},"finish_reason":"stop"');
    }
  });
});

import { expect, it } from 'vitest';
import { readContent } from '../../../../src/protocol/llm/gemini/restore.ts';

it('a content has the parts that it has', () => {
  const parts = [
    { text: 'a "', thoughtSignature: 's' },
    { text: 'b', thought: true },
    { function_call: { id: 'c', name: 'n' }, thought_signature: 't' },
    { functionResponse: { name: 'n' } },
    { inlineData: {} },
  ];
  const text = JSON.stringify([{ role: 'model', parts }]);
  const none = { text: undefined, call: undefined, result: undefined, signature: undefined, span: expect.anything() };
  expect(readContent(text, { start: 1, end: text.length - 1 })).toEqual({
    span: { start: 1, end: text.length - 1 },
    isModels: true,
    parts: [
      { ...none, text: 'a "', signature: 's' },
      none,
      { ...none, call: 'c', signature: 't' },
      { ...none, result: '' },
      none,
    ],
  });
});

it.each(['{}', '"x"', '{"role":"user","parts":{}}', '{"role":"function"}'])('%s is not what a model said', (text) => {
  expect(readContent(text, { start: 0, end: text.length })).toMatchObject({ isModels: false, parts: [] });
});

import { describe, expect, it } from 'vitest';
import { fieldsOf, fieldSpansOf, holdsCall, toCamel } from '../../../../src/protocol/llm/gemini/keys.ts';

describe('the fields of an object', () => {
  it('have one name in both spellings, and keep what is not known', () => {
    expect([...(fieldsOf({ function_call: 1, willContinue: 2, other_key: 3 }) ?? [])]).toEqual([
      ['functionCall', 1],
      ['willContinue', 2],
      ['other_key', 3],
    ]);
    const text = '{"thought_signature": "a", "text":""}';
    expect(
      [...(fieldSpansOf(text, { start: 0, end: text.length }) ?? [])].map(([name, { start, end }]) => [
        name,
        text.slice(start, end),
      ]),
    ).toEqual([
      ['thoughtSignature', '"a"'],
      ['text', '""'],
    ]);
    expect(fieldSpansOf('[]', { start: 0, end: 2 })).toBeUndefined();
  });

  it.each([
    { functioncall: 1 },
    { FunctionCall: 1 },
    { Function_Call: 1 },
    { 'functionCall\0': 1 },
    { functionCall: 1, function_call: 1 },
    { TEXT: 1 },
    { ar_gs: 1 },
    { 'part\u017f': 1 },
  ])('are unclear in %j', (object) => {
    expect(fieldsOf(object)).toBeUndefined();
    const text = JSON.stringify(object);
    expect(fieldSpansOf(text, { start: 0, end: text.length })).toBeUndefined();
  });
});

it.each<[unknown, boolean]>([
  [{ a: [{ b: { functionCall: {} } }] }, true],
  [{ FUNCTION_CALL: null }, true],
  [[{ executable_code: {} }], true],
  [{ toolCall: {} }, true],
  [{ SHELL_CALL: {} }, true],
  [{ text: 'functionCall', functionResponse: { a: 1 } }, false],
  [null, false],
  ['functionCall', false],
])('is there a call in %j: %s', (value, isThere) => {
  expect(holdsCall(value)).toBe(isThere);
});

it.each([
  ['function_declarations', 'functionDeclarations'],
  ['google_search_retrieval', 'googleSearchRetrieval'],
  ['urlContext', 'urlContext'],
])('%s is %s', (key, name) => {
  expect(toCamel(key)).toBe(name);
});

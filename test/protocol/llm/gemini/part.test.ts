import { describe, expect, it } from 'vitest';
import { readCallPart } from '../../../../src/protocol/llm/gemini/part.ts';

const read = (part: unknown) => {
  const text = JSON.stringify(part);
  return readCallPart(text, { start: 0, end: text.length });
};

describe('a part', () => {
  it.each([
    { text: 'functionCall' },
    { inlineData: { mimeType: 'a', data: 'b' } },
    { functionCall: null },
    { functionResponse: { name: 'a', response: { functionCall: {} } } },
    'functionCall',
    null,
  ])('%j is no call', (part) => {
    expect(read(part)).toBeUndefined();
  });

  it('is a whole call', () => {
    expect(read({ functionCall: { id: 'i', name: 'n', args: { a: 1 } }, thoughtSignature: 's' })).toMatchObject({
      kind: 'call',
      isSigned: true,
      call: { id: 'i', name: 'n', args: '{"a":1}', runBy: 'client', server: undefined, group: undefined },
      args: { start: 44, end: 51 },
    });
    expect(read({ function_call: { name: 'n' }, thought: true })).toMatchObject({
      kind: 'call',
      isSigned: false,
      args: undefined,
    });
  });

  it('is a call of a kind that is not known yet, which is called like the others', () => {
    expect(read({ shell_call: { id: 'i', name: 'sh', command: 'ls' } })).toMatchObject({
      kind: 'call',
      isFunction: false,
      call: { id: 'i', name: 'sh', args: '{"id":"i","name":"sh","command":"ls"}', runBy: 'client' },
    });
    expect(read({ computerCall: { x: 1 } })).toMatchObject({
      kind: 'call',
      call: { id: '', name: 'computerCall', args: '{"x":1}' },
    });
    expect(read({ computerCall: 'x' })).toBeTypeOf('string');
  });

  it('is a piece of one', () => {
    expect(read({ functionCall: { name: 'n', willContinue: true } })).toMatchObject({
      kind: 'piece',
      call: { name: 'n', args: undefined },
      isEnd: false,
    });
    expect(read({ functionCall: { name: 'n', partialArgs: [] } })).toMatchObject({ kind: 'piece', partial: [], isEnd: true });
    const arg = { jsonPath: '$.a', stringValue: 'x' };
    expect(read({ functionCall: { partialArgs: [arg] } })).toMatchObject({ kind: 'piece', call: undefined, isEnd: true });
    expect(read({ functionCall: { partialArgs: [arg], willContinue: true } })).toMatchObject({ isEnd: false });
    expect(read({ functionCall: { partialArgs: [{ ...arg, willContinue: true }] } })).toMatchObject({ isEnd: false });
    expect(read({ functionCall: {} })).toMatchObject({ kind: 'piece', partial: [], isEnd: true });
    expect(read({ functionCall: { willContinue: false } })).toMatchObject({ kind: 'piece', isEnd: true });
  });

  it('is a call of the provider, or what that came to', () => {
    expect(read({ executableCode: { id: 'e', language: 'PYTHON', code: '1' } })).toMatchObject({
      kind: 'provider_call',
      call: { id: 'e', name: 'codeExecution', runBy: 'provider', args: '{"id":"e","language":"PYTHON","code":"1"}' },
    });
    expect(read({ toolCall: { id: 't', toolType: 'NEW_ONE' } })).toMatchObject({
      call: { id: 't', name: 'NEW_ONE', args: '{}' },
    });
    expect(read({ codeExecutionResult: { id: 'e' } })).toEqual({ kind: 'provider_result', id: 'e', isCode: true });
    expect(read({ tool_response: { response: {} } })).toEqual({ kind: 'provider_result', id: '', isCode: false });
  });

  it.each([
    { functionCall: [] },
    { functionCall: { name: 1 } },
    { functionCall: { name: 'n', id: 1 } },
    { functionCall: { name: 'n', willContinue: 'true' } },
    { functionCall: { name: 'n', partialArgs: {} } },
    { functionCall: { name: 'n', partialArgs: [1] } },
    { functionCall: { Name: 'n' } },
    { functionCall: { args: {} } },
    { functionCall: { name: 'n', args: {}, partialArgs: [] } },
    { functionCall: { name: 'n' }, executableCode: {} },
    { toolCall: {} },
    { toolCall: { toolType: 'X', id: 1 } },
    { toolResponse: 'x' },
    { codeExecutionResult: { id: 1 } },
    { FUNCTIONCALL: {} },
  ])('%j can not be read', (part) => {
    expect(read(part)).toBeTypeOf('string');
  });
});

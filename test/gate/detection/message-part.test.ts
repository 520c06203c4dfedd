import { describe, expect, it } from 'vitest';
import { isPlain, partOfAnswer, partOfMessage, textAction } from '../../../src/gate/detection/message-part.ts';
import { JsonScanner } from '../../../src/protocol/json-scanner.ts';
import { readMessage } from '../../../src/protocol/jsonrpc.ts';
import type { Message } from '../../../src/protocol/message.ts';

function messageOf(value: object): Message {
  const bytes = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...value }));
  return readMessage(new JsonScanner(), bytes, 0, bytes.length);
}

describe('partOfAnswer', () => {
  it.each([
    ['tools/call', 'result'],
    ['tasks/result', 'result'],
    ['tasks/get', 'result'],
    ['resources/read', 'resource'],
    ['prompts/get', 'prompt'],
    ['skills/get', 'result'],
    ['completion/complete', 'result'],
    ['vendor/unknown', 'result'],
    ['tools/list', 'definition'],
    ['initialize', 'definition'],
    ['server/discover', 'definition'],
    ['ping', 'result'],
  ])('%s: %s', (method, origin) => {
    const part = partOfAnswer(messageOf({ id: 1, result: { a: 1 } }), { method });
    expect(part?.origin).toBe(origin);
  });

  it('nothing of an empty one, and of one that nobody asked for', () => {
    expect(partOfAnswer(messageOf({ id: 1, result: {} }), { method: 'ping' })).toBeUndefined();
    expect(partOfAnswer(messageOf({ id: 1, result: { a: 1 } }), undefined)).toBeUndefined();
  });

  it.each([
    ['initialize', { text: 'instructions' }],
    ['server/discover', { text: 'instructions' }],
    ['tools/list', { list: 'tools', name: 'name', longestName: 1024 }],
    ['resources/list', { list: 'resources', name: 'uri', longestName: 1024 }],
    ['resources/templates/list', { list: 'resourceTemplates', name: 'uriTemplate', longestName: 1024 }],
    ['prompts/list', { list: 'prompts', name: 'name', longestName: 1024 }],
    ['tools/call', undefined],
  ])('%s: what is a definition is left out', (method, leftOut) => {
    expect(partOfAnswer(messageOf({ id: 1, result: { a: 1 } }), { method })?.leftOut).toEqual(leftOut);
  });

  it.each([
    ['with elicitations', { code: -32042, message: 'm', data: { elicitations: [] } }, true],
    ['with another code', { code: -32042.5, message: 'm', data: { elicitations: [{}] } }, true],
    ['that is no object', 'text', true],
    ['with other data', { code: -32042, message: 'm', data: { a: 1 } }, false],
    ['without data', { code: -32042, message: 'm' }, false],
  ])('an error %s', (_name, error, isBoth) => {
    expect(partOfAnswer(messageOf({ id: 1, error }), { method: 'tools/call' })).toMatchObject({ origin: 'error', isBoth });
  });

  it('an error, whatever it answers, and one that answers nothing', () => {
    const error = messageOf({ id: 1, error: { code: 1, message: 'm' } });
    expect(partOfAnswer(error, { method: 'ping' })).toMatchObject({ origin: 'error', prefix: 'error', method: 'ping' });
    expect(partOfAnswer(error, undefined)).toMatchObject({ origin: 'error', method: undefined });
  });

  it('one that asks for input is a request', () => {
    const inputRequests = { a: { method: 'elicitation/create', params: { a: 1 } } };
    const asking = messageOf({ id: 1, result: { resultType: 'input_required', inputRequests } });
    expect(partOfAnswer(asking, { method: 'tools/call' })).toMatchObject({ origin: 'elicitation', isBoth: true });
  });
});

describe('partOfMessage', () => {
  it.each([
    [{ id: 1, method: 'sampling/createMessage', params: { a: 1 } }, 'sampling'],
    [{ id: 1, method: 'elicitation/create', params: { a: 1 } }, 'elicitation'],
    [{ method: 'elicitation/create', params: { a: 1 } }, 'elicitation'],
    [{ method: 'notifications/message', params: { a: 1 } }, 'log'],
    [{ method: 'notifications/progress', params: { a: 1 } }, 'log'],
    [{ method: 'notifications/message' }, undefined],
    [{ method: 'notifications/tools/list_changed' }, undefined],
    [{ method: 'notifications/tools/list_changed', params: { note: 'a' } }, 'log'],
    [{ method: 'notifications/tasks/status', params: { statusMessage: 'a' } }, 'log'],
    [{ method: 'vendor/channel', params: { content: 'a' } }, 'log'],
    [{ id: 1, method: 'vendor/ask', params: { content: 'a' } }, 'elicitation'],
    [{ id: 1, method: 'roots/list', params: { _meta: {} } }, 'elicitation'],
    [{ id: 1, method: 'ping', params: {} }, undefined],
  ])('%j: %s', (value, origin) => {
    expect(partOfMessage(messageOf(value))?.origin).toBe(origin);
  });

  it('a notification that asks for input is both', () => {
    const message = messageOf({ method: 'notifications/tasks', params: { inputRequests: {} } });
    expect(partOfMessage(message)).toMatchObject({ origin: 'log', isBoth: true });
  });
});

describe('isPlain', () => {
  const fields = (...texts: readonly string[]) => texts.map((text) => ({ field: 'a', text }));
  it.each([
    ['nothing', [], true],
    ['a name, a version and a revision', ['@scope/server-files', '1.2.3-beta+4', '2025-11-25'], true],
    ['a sentence', ['files', 'Reads files'], false],
    ['a long name', ['ignore-all-previous-instructions'], false],
    ['letters that pass for others', ['f\u0456les'], false],
    ['one after the other', ['a', 'b', 'c', 'd', 'e'], false],
  ])('%s', (_name, texts, isSo) => {
    expect(isPlain({ origin: 'definition' }, fields(...texts))).toBe(isSo);
  });

  it('never a result', () => {
    expect(isPlain({ origin: 'result' }, [])).toBe(false);
  });
});

describe('textAction', () => {
  const settings = { enabled: true, onDefinition: 'hide', onResult: 'deny', onSampling: 'redact' } as const;

  it.each([
    ['definition', 'redact'],
    ['result', 'deny'],
    ['resource', 'deny'],
    ['prompt', 'deny'],
    ['error', 'deny'],
    ['log', 'deny'],
    ['sampling', 'redact'],
    ['elicitation', 'redact'],
  ] as const)('%s: %s', (origin, expected) => {
    expect(textAction(settings, { origin, isBoth: false })).toBe(expected);
    expect(textAction({ ...settings, enabled: false }, { origin, isBoth: false })).toBe('alert');
  });

  it.each([
    ['deny', 'alert', 'deny'],
    ['alert', 'redact', 'redact'],
    ['redact', 'deny', 'deny'],
    ['alert', 'alert', 'alert'],
  ] as const)('what is a result (%s) and a request (%s): %s', (onResult, onSampling, expected) => {
    expect(textAction({ ...settings, onResult, onSampling }, { origin: 'elicitation', isBoth: true })).toBe(expected);
  });

  it('what a server says of itself is taken out where it would be hidden or denied', () => {
    for (const onDefinition of ['hide', 'deny'] as const)
      expect(textAction({ ...settings, onDefinition }, { origin: 'definition', isBoth: false })).toBe('redact');
    expect(textAction({ ...settings, onDefinition: 'alert' }, { origin: 'definition', isBoth: false })).toBe('alert');
  });
});

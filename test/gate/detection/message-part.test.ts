import { describe, expect, it } from 'vitest';
import { partOfAnswer, partOfMessage } from '../../../src/gate/detection/message-part.ts';
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
    ['tools/list', undefined],
    ['initialize', undefined],
    ['ping', undefined],
  ])('%s: %s', (method, origin) => {
    const part = partOfAnswer(messageOf({ id: 1, result: { a: 1 } }), { method });
    expect(part?.origin).toBe(origin);
  });

  it('an error, whatever it answers, and one that answers nothing', () => {
    const error = messageOf({ id: 1, error: { code: 1, message: 'm' } });
    expect(partOfAnswer(error, { method: 'ping' })).toMatchObject({ origin: 'error', prefix: 'error', method: 'ping' });
    expect(partOfAnswer(error, undefined)).toMatchObject({ origin: 'error', method: undefined });
  });

  it('one that asks for input is a request', () => {
    const inputRequests = { a: { method: 'elicitation/create', params: {} } };
    const asking = messageOf({ id: 1, result: { resultType: 'input_required', inputRequests } });
    expect(partOfAnswer(asking, { method: 'tools/call' })).toMatchObject({ origin: 'elicitation', isBoth: true });
  });
});

describe('partOfMessage', () => {
  it.each([
    [{ id: 1, method: 'sampling/createMessage', params: {} }, 'sampling'],
    [{ id: 1, method: 'elicitation/create', params: {} }, 'elicitation'],
    [{ method: 'elicitation/create', params: {} }, 'elicitation'],
    [{ method: 'notifications/message', params: {} }, 'log'],
    [{ method: 'notifications/progress', params: {} }, 'log'],
    [{ method: 'notifications/message' }, undefined],
    [{ method: 'notifications/tools/list_changed' }, undefined],
    [{ method: 'notifications/tools/list_changed', params: { note: 'a' } }, 'log'],
    [{ method: 'notifications/tasks/status', params: { statusMessage: 'a' } }, 'log'],
    [{ method: 'vendor/channel', params: { content: 'a' } }, 'log'],
    [{ id: 1, method: 'vendor/ask', params: { content: 'a' } }, 'elicitation'],
    [{ id: 1, method: 'roots/list', params: {} }, undefined],
  ])('%j: %s', (value, origin) => {
    expect(partOfMessage(messageOf(value))?.origin).toBe(origin);
  });
});

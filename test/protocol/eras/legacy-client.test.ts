import { describe, expect, it } from 'vitest';
import { LegacyClient } from '../../../src/protocol/eras/legacy-client.ts';
import { JsonScanner } from '../../../src/protocol/json-scanner.ts';
import { Told } from './told.ts';

const GREETING = {
  protocolVersion: '2025-06-18',
  capabilities: { elicitation: {}, tasks: {} },
  clientInfo: { name: 'old', version: '1' },
};
const DISCOVERED = {
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
  instructions: 'Be kind.',
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'new', version: '2' } },
};
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'old', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
};
const ASKING = {
  resultType: 'input_required',
  inputRequests: { who: { method: 'elicitation/create', params: { mode: 'url', url: 'https://a.example', message: 'Who?' } } },
  requestState: 's',
};
const CALL = { id: 7, method: 'tools/call', params: { name: 't', arguments: { a: 1 }, _meta: { progressToken: 7 } } };
const RESULT = { content: [], resultType: 'complete' };

function begin(discovered: object = DISCOVERED, greeting: object = GREETING): Told {
  const line = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: greeting }));
  return new Told((newId) => new LegacyClient(new JsonScanner(), { line, discovered: { ...discovered } }, newId));
}

describe('a client of the legacy era', () => {
  it('gets an answer to initialize', () => {
    expect(begin().client({ id: 0, method: 'initialize', params: GREETING })).toEqual([
      [
        'client',
        {
          id: 0,
          result: {
            protocolVersion: '2025-06-18',
            capabilities: DISCOVERED.capabilities,
            serverInfo: { name: 'new', version: '2' },
            instructions: 'Be kind.',
          },
        },
      ],
    ]);
  });

  it.each([
    ['2024-11-05', '2024-11-05'],
    ['2026-07-28', '2025-11-25'],
    ['1999', '2025-11-25'],
    [7, '2025-11-25'],
  ])('that asks for %s gets %s', (protocolVersion, expected) => {
    const result = { protocolVersion: expected, capabilities: {}, serverInfo: { name: 'unknown', version: '0' } };
    const sent = begin({}, { protocolVersion }).client({ id: 'a', method: 'initialize' });
    expect(sent).toEqual([['client', { id: 'a', result }]]);
  });

  it.each([
    ['without params', undefined, { _meta: META }],
    ['with empty params', {}, { _meta: META }],
    ['with params', { cursor: 'x' }, { cursor: 'x', _meta: META }],
    ['with meta', { _meta: { progressToken: 'p' } }, { _meta: { ...META, progressToken: 'p' } }],
    ['with empty meta', { _meta: {} }, { _meta: META }],
  ])('has what the modern era wants put into requests %s', (_, params, expected) => {
    expect(begin().client({ id: 1, method: 'tools/list', ...(params && { params }) })).toEqual([
      ['server', { id: 1, method: 'tools/list', params: expected }],
    ]);
  });

  it('keeps numbers as they are', () => {
    const line =
      '{"jsonrpc":"2.0","id":1.0,"method":"tools/call","params":{"name":"t","arguments":{"n":12345678901234567890.10}}}';
    expect(begin().translation.fromClient(Buffer.from(line))[0]?.line.toString()).toContain('"n":12345678901234567890.10}}}');
  });

  it('gets answers, progress and errors as they are', () => {
    const told = begin();
    told.client(CALL);
    for (const message of [
      { method: 'notifications/progress', params: { progressToken: 7, progress: 1 } },
      { id: 7, result: RESULT },
      { id: 8, error: { code: -32020, message: 'no' } },
    ]) {
      expect(told.server(message)).toEqual([['client', message]]);
    }
  });

  it('has its pings and its log level answered here', () => {
    const told = begin();
    expect(told.client({ id: 1, method: 'ping' })).toEqual([['client', { id: 1, result: {} }]]);
    expect(told.client({ id: 2, method: 'logging/setLevel', params: { level: 'debug' } })).toEqual([
      ['client', { id: 2, result: {} }],
    ]);
    expect(told.client({ id: 3, method: 'tools/list' })).toMatchObject([
      ['server', { params: { _meta: { 'io.modelcontextprotocol/logLevel': 'debug' } } }],
    ]);
  });

  it('listens to the lists that may change, and again if that ends, but not for ever', () => {
    const told = begin();
    const listen = (id: string) => [
      'server',
      { id, method: 'subscriptions/listen', params: { _meta: META, notifications: { toolsListChanged: true } } },
    ];
    expect(told.client({ method: 'notifications/initialized' })).toEqual([listen('new-1')]);
    expect(told.server({ method: 'notifications/subscriptions/acknowledged', params: {} })).toEqual([]);
    const change = { method: 'notifications/tools/list_changed' };
    expect(told.server(change)).toEqual([['client', change]]);
    for (const again of [2, 3, 4, 5]) {
      expect(told.server({ id: `new-${again - 1}`, result: {} })).toEqual([listen(`new-${again}`)]);
    }
    expect(told.server({ id: 'new-5', result: {} })).toEqual([]);
    expect(begin({}).client({ method: 'notifications/initialized' })).toEqual([]);
  });

  it('subscribes to resources', () => {
    const told = begin();
    expect(told.client({ id: 1, method: 'resources/subscribe', params: { uri: 'a:b' } })).toMatchObject([
      ['server', { id: 'new-1', method: 'subscriptions/listen', params: { notifications: { resourceSubscriptions: ['a:b'] } } }],
    ]);
    const params = { _meta: { 'io.modelcontextprotocol/subscriptionId': 'new-1' } };
    const acknowledged = { method: 'notifications/subscriptions/acknowledged', params };
    expect(told.server(acknowledged)).toEqual([['client', { id: 1, result: {} }]]);
    expect(told.server(acknowledged)).toEqual([]);
    expect(told.client({ id: 2, method: 'resources/unsubscribe', params: { uri: 'a:b' } })).toEqual([
      ['server', { method: 'notifications/cancelled', params: { requestId: 'new-1' } }],
      ['client', { id: 2, result: {} }],
    ]);
    told.client({ id: 3, method: 'resources/subscribe', params: { uri: 'a:b' } });
    expect(told.server({ id: 'new-2', error: { code: -32602, message: 'no such' } })).toEqual([
      ['client', { id: 3, error: { code: -32602, message: 'no such' } }],
    ]);
  });

  it('is asked for input, and the call repeated as it was', () => {
    const told = begin();
    told.client(CALL);
    const [who] = Object.values(ASKING.inputRequests);
    expect(told.server({ id: 7, result: ASKING })).toEqual([
      ['client', { id: 'new-1', method: 'elicitation/create', params: { ...who?.params, elicitationId: 'new-1' } }],
    ]);
    const given = { action: 'accept', content: { n: 1 } };
    expect(told.client({ id: 'new-1', result: given })).toEqual([
      [
        'server',
        {
          id: 'new-2',
          method: 'tools/call',
          params: { ...CALL.params, _meta: { ...META, progressToken: 7 }, inputResponses: { who: given }, requestState: 's' },
        },
      ],
    ]);
    expect(told.server({ id: 7, result: RESULT })).toEqual([]);
    expect(told.server({ id: 'new-2', result: RESULT })).toEqual([['client', { id: 7, result: RESULT }]]);
    expect(told.client({ id: 'new-1', result: given })).toEqual([]);
  });

  it('cancels an elicitation with an error, and fails the call with any other', () => {
    const told = begin();
    told.client(CALL);
    told.server({ id: 7, result: ASKING });
    expect(told.client({ id: 'new-1', error: { code: 1, message: 'no' } })).toMatchObject([
      ['server', { params: { inputResponses: { who: { action: 'cancel' } } } }],
    ]);
    const two = { a: { method: 'roots/list' }, b: { method: 'sampling/createMessage', params: {} } };
    told.server({ id: 'new-2', result: { resultType: 'input_required', inputRequests: two } });
    expect(told.client({ id: 'new-4', error: { code: 1, message: 'never' } })).toEqual([
      ['client', { method: 'notifications/cancelled', params: { requestId: 'new-3' } }],
      [
        'client',
        { id: 7, error: { code: -32603, message: 'the server needs sampling/createMessage to answer, and got an error: never' } },
      ],
    ]);
  });

  it.each([
    ['another input', { a: { method: 'tools/call', params: {} } }, 'an input that this client cannot give'],
    ['nothing that is a request', { a: 7 }, 'an input that this client cannot give'],
    ['very much', Object.fromEntries(Array.from({ length: 33 }, (_, n) => [n, { method: 'roots/list' }])), 'more than 32 inputs'],
  ])('does not answer if the server wants %s', (_, inputRequests, why) => {
    const told = begin();
    told.client(CALL);
    const sent = told.server({ id: 7, result: { resultType: 'input_required', inputRequests } });
    expect(sent.at(-1)).toEqual(['client', { id: 7, error: { code: -32603, message: expect.stringContaining(why) } }]);
  });

  it('does not go round for ever', () => {
    const told = begin();
    told.client(CALL);
    let sent = told.server({ id: 7, result: { resultType: 'input_required', requestState: 1 } });
    let rounds = 0;
    while (sent[0]?.[0] === 'server' && rounds < 99) {
      rounds++;
      sent = told.server({ id: sent[0][1]['id'], result: { resultType: 'input_required', requestState: 1 } });
    }
    expect(rounds).toBe(10);
    expect(sent).toMatchObject([['client', { id: 7, error: { message: 'the server asked for input more than 10 times' } }]]);
  });

  it('cancels a call, and what it was asked for it', () => {
    const told = begin();
    const cancel = { method: 'notifications/cancelled', params: { requestId: 7 } };
    expect(told.client(cancel)).toEqual([['server', cancel]]);
    told.client(CALL);
    told.server({ id: 7, result: ASKING });
    expect(told.client(cancel)).toEqual([
      ['client', { method: 'notifications/cancelled', params: { requestId: 'new-1' } }],
      ['server', { method: 'notifications/cancelled', params: { requestId: 7 } }],
    ]);
    expect(told.client({ id: 'new-1', result: {} })).toEqual([]);
  });

  it('may send a batch', () => {
    const line = Buffer.from('[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]');
    expect(begin().translation.fromClient(line)).toHaveLength(2);
  });

  it('keeps from the server what it has no use for, and from itself the requests of a server that may not make any', () => {
    const told = begin();
    for (const method of ['notifications/progress', 'notifications/roots/list_changed'])
      expect(told.client({ method })).toEqual([]);
    expect(told.server({ id: 1, method: 'roots/list' })).toMatchObject([['server', { id: 1, error: { code: -32601 } }]]);
  });
});

import { describe, expect, it } from 'vitest';
import { ModernClient } from '../../../src/protocol/eras/modern-client.ts';
import { JsonScanner } from '../../../src/protocol/json-scanner.ts';
import { Told } from './told.ts';

const INITIALIZED = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: { listChanged: true }, tasks: {} },
  serverInfo: { name: 'old', version: '1' },
  instructions: 'Be kind.',
};
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'new', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const CALL = { id: 7, method: 'tools/call', params: { name: 't', _meta: { ...META, progressToken: 7 } } };
const ASKED = { id: 7, method: 'elicitation/create', params: { message: 'Who?' } };

const begin = (): Told => new Told((newId) => new ModernClient(new JsonScanner(), INITIALIZED, newId));

/** Begins a call, and has the server ask for something in it. */
function held() {
  const told = begin();
  told.client(CALL);
  const result = told.server(ASKED)[0]?.[1]['result'];
  const { inputRequests, requestState } = result as { inputRequests: Record<string, object>; requestState: string };
  return { told, inputRequests, requestState, name: Object.keys(inputRequests)[0] ?? '' };
}

describe('a client of the modern era', () => {
  it('gets an answer to server/discover', () => {
    expect(begin().client({ id: 'a', method: 'server/discover', params: { _meta: META } })).toEqual([
      [
        'client',
        {
          id: 'a',
          result: {
            resultType: 'complete',
            supportedVersions: ['2026-07-28'],
            capabilities: { tools: { listChanged: true } },
            instructions: 'Be kind.',
            ttlMs: 0,
            cacheScope: 'private',
            _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'old', version: '1' } },
          },
        },
      ],
    ]);
  });

  it('has its requests without the signs of its era, and results with them', () => {
    const told = begin();
    expect(told.client(CALL)).toEqual([['server', { ...CALL, params: { name: 't', _meta: { progressToken: 7 } } }]]);
    expect(told.server({ id: 7, result: { content: [] } })).toEqual([
      ['client', { id: 7, result: { resultType: 'complete', content: [] } }],
    ]);
    told.client({ id: 8, method: 'tools/list' });
    expect(told.server({ id: 8, result: { tools: [] } })).toEqual([
      ['client', { id: 8, result: { resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools: [] } }],
    ]);
    told.client({ id: 9, method: 'completion/complete' });
    expect(told.server({ id: 9, result: {} })).toEqual([['client', { id: 9, result: { resultType: 'complete' } }]]);
    told.client({ id: 10, method: 'tools/list' });
    expect(told.server({ id: 10, error: { code: -32601, message: 'no' } })).toMatchObject([['client', { id: 10 }]]);
  });

  it('is asked for input, and has the call answered when it repeats it', () => {
    const { told, inputRequests, requestState, name } = held();
    expect(inputRequests).toEqual({ [name]: { method: 'elicitation/create', params: { message: 'Who?' } } });
    const given = { action: 'accept', content: {} };
    const repeated = { name: 't', _meta: META, inputResponses: { [name]: given }, requestState };
    expect(told.client({ id: 8, method: 'tools/call', params: repeated })).toEqual([['server', { id: 7, result: given }]]);
    expect(told.server({ id: 7, result: { content: [] } })).toEqual([
      ['client', { id: 8, result: { resultType: 'complete', content: [] } }],
    ]);
    expect(told.client({ id: 9, method: 'tools/call', params: repeated })).toEqual([
      ['client', { id: 9, error: { code: -32602, message: 'no call waits for this requestState' } }],
    ]);
  });

  it('is asked again in the next round, and gets an answer that came meanwhile', () => {
    const { told, requestState, name } = held();
    expect(told.server({ id: 'b', method: 'roots/list' })).toEqual([]);
    const params = { name: 't', requestState, inputResponses: {} };
    expect(told.client({ id: 8, method: 'tools/call', params })).toMatchObject([
      ['server', { id: 7, error: { message: 'the client did not answer this' } }],
      ['client', { id: 8, result: { resultType: 'input_required', requestState } }],
    ]);
    expect(told.server({ id: 7, result: { content: [1] } })).toEqual([]);
    expect(told.client({ id: 9, method: 'tools/call', params: { ...params, inputResponses: { [name]: {} } } }).at(-1)).toEqual([
      'client',
      { id: 9, result: { resultType: 'complete', content: [1] } },
    ]);
  });

  it.each([
    ['while there is no call', 0, ASKED, 'only while it waits for a call'],
    ['while there are several', 2, ASKED, 'waits for several calls'],
    ['for something else', 1, { id: 1, method: 'tasks/get' }, 'answers no such request'],
  ])('is not asked %s', (_, calls, asked, why) => {
    const told = begin();
    for (let id = 0; id < calls; id++) told.client({ ...CALL, id });
    expect(told.server(asked)).toEqual([
      ['server', { id: asked.id, error: { code: -32601, message: expect.stringContaining(why) } }],
    ]);
  });

  it('does not hear of pings', () => {
    expect(begin().server({ id: 1, method: 'ping' })).toEqual([['server', { id: 1, result: {} }]]);
  });

  it('cancels a call under the id by which the server knows it', () => {
    const { told, requestState } = held();
    told.client({ id: 8, method: 'tools/call', params: { name: 't', requestState } });
    expect(told.client({ method: 'notifications/cancelled', params: { requestId: 8 } })).toEqual([
      ['server', { method: 'notifications/cancelled', params: { requestId: 7 } }],
    ]);
  });

  it('hears only of the changes that it listens to', () => {
    const told = begin();
    const change = { method: 'notifications/tools/list_changed' };
    expect(told.server(change)).toEqual([]);
    const notifications = { toolsListChanged: true, resourceSubscriptions: ['a:b'] };
    const meta = { 'io.modelcontextprotocol/subscriptionId': 5 };
    expect(told.client({ id: 5, method: 'subscriptions/listen', params: { _meta: META, notifications } })).toEqual([
      ['client', { method: 'notifications/subscriptions/acknowledged', params: { _meta: meta, notifications } }],
      ['server', { id: 'new-1', method: 'resources/subscribe', params: { uri: 'a:b' } }],
    ]);
    expect(told.server({ id: 'new-1', result: {} })).toEqual([]);
    expect(told.server(change)).toEqual([['client', { ...change, params: { _meta: meta } }]]);
    expect(told.server({ method: 'notifications/prompts/list_changed' })).toEqual([]);
    const updated = (uri: string) => told.server({ method: 'notifications/resources/updated', params: { uri } });
    expect(updated('a:b')).toEqual([
      ['client', { method: 'notifications/resources/updated', params: { _meta: meta, uri: 'a:b' } }],
    ]);
    expect(updated('a:c')).toEqual([]);
    expect(told.client({ method: 'notifications/cancelled', params: { requestId: 5 } })).toEqual([
      ['server', { id: 'new-2', method: 'resources/unsubscribe', params: { uri: 'a:b' } }],
    ]);
    expect(told.server(change)).toEqual([]);
  });

  it('gets log messages once it wants some', () => {
    const told = begin();
    const log = { method: 'notifications/message', params: { level: 'info', data: 'x' } };
    expect(told.server(log)).toEqual([]);
    const params = { _meta: { ...META, 'io.modelcontextprotocol/logLevel': 'info' } };
    expect(told.client({ id: 1, method: 'tools/list', params })).toMatchObject([
      ['server', { id: 'new-1', method: 'logging/setLevel', params: { level: 'info' } }],
      ['server', { id: 1, params: { _meta: {} } }],
    ]);
    expect(told.client({ id: 2, method: 'tools/list', params })).toHaveLength(1);
    expect(told.server(log)).toEqual([['client', log]]);
  });
});

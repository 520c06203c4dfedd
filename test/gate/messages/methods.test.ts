import { describe, expect, it } from 'vitest';
import { LIKE_METHODS, SUBJECT_METHODS } from '../../../src/core/call.ts';
import { parseJson } from '../../../src/core/json.ts';
import { REVIEWED_METHODS, reviewedVariant, toMethodCall } from '../../../src/gate/messages/methods.ts';

function toCall(method: string, params: string): unknown {
  const value = parseJson(params);
  if (typeof value !== 'object' || value === null) throw new Error('params are an object here');
  return REVIEWED_METHODS.get(method)?.toCalls('files', value as never);
}

describe('REVIEWED_METHODS', () => {
  it('reviews exactly these', () => {
    expect([...REVIEWED_METHODS.keys()]).toEqual([
      'tools/call',
      'resources/read',
      'prompts/get',
      'resources/subscribe',
      'resources/directory/read',
      'skills/get',
      'subscriptions/listen',
      'completion/complete',
    ]);
  });

  it.each([
    ['tools/call', '{"name":"read\\ud83d"}'],
    ['prompts/get', '{"name":"\\udca9"}'],
    ['resources/read', '{"uri":"file:///\\udca9\\ud83d"}'],
    ['resources/subscribe', '{"uri":"file:///\\ud800"}'],
    ['subscriptions/listen', '{"notifications":{"resourceSubscriptions":["file:///a","file:///\\ud800"]}}'],
    ['completion/complete', '{"ref":{"type":"ref/prompt","name":"\\ud800"},"argument":{"name":"a","value":""}}'],
    ['completion/complete', '{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"\\ud800","value":""}}'],
  ])('hazard 12: %s names nothing by half of a surrogate pair: %s', (method, params) => {
    expect(toCall(method, params)).toEqual({ problem: expect.stringContaining('half of a surrogate pair') });
  });

  it.each([
    ['tools/call', '{"name":"read\\ud83d\\udca9","arguments":{"text":"cut \\ud83d"}}'],
    ['prompts/get', '{"name":"\\ufffd","arguments":{"text":"\\udca9"}}'],
    ['completion/complete', '{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"\\ud83d"}}'],
  ])('in values it may stand, and pairs anywhere: %s %s', (method, params) => {
    expect(toCall(method, params)).toMatchObject({ calls: [{ method }] });
  });

  it.each([
    ['tools/call', '{"name":"t","arguments":{"a":[1]}}', { tool: 't', args: { a: [1] } }],
    ['tools/call', '{"name":"t","arguments":null}', { tool: 't', args: undefined }],
    ['tools/call', '{"name":"t"}', { tool: 't', args: undefined }],
    ['resources/read', '{"uri":"file:///x"}', { resource: 'file:///x' }],
    ['prompts/get', '{"name":"p","arguments":{"a":"b"}}', { prompt: 'p', args: { a: 'b' } }],
  ])('%s %s', (method, params, expected) => {
    expect(toCall(method, params)).toEqual({ calls: [{ method, server: 'files', ...expected }] });
  });

  it.each([
    ['tools/call', '{}', 'params.name is not a string'],
    ['tools/call', '{"name":"t","arguments":[1]}', 'params.arguments is not an object'],
    ['tools/call', '{"name":"t","arguments":1.0}', 'params.arguments is not an object'],
    ['resources/read', '{"uri":["file:///x"]}', 'params.uri is not a string'],
    ['prompts/get', '{"name":null}', 'params.name is not a string'],
    ['prompts/get', '{"name":"p","arguments":"x"}', 'params.arguments is not an object'],
  ])('hazard 16: %s %s is a problem', (method, params, problem) => {
    expect(toCall(method, params)).toEqual({ problem });
  });
});

describe('methods that amount to another', () => {
  const read = (resource: string): unknown => ({ method: 'resources/read', server: 'files', resource });

  it.each(['resources/subscribe', 'resources/directory/read', 'skills/get'])('%s is like reading', (method) => {
    expect(toCall(method, '{"uri":"file:///x"}')).toEqual({
      calls: [{ method, server: 'files', resource: 'file:///x', like: read('file:///x') }],
    });
  });

  it('resources/subscribe without a URI is only its method', () => {
    expect(toCall('resources/subscribe', '{}')).toEqual({ calls: [{ method: 'resources/subscribe', server: 'files' }] });
  });

  it('subscriptions/listen is like reading each resource it names', () => {
    const params = '{"notifications":{"toolsListChanged":true,"resourceSubscriptions":["file:///x","file:///y"]}}';
    expect(toCall('subscriptions/listen', params)).toMatchObject({
      calls: [{ like: read('file:///x') }, { like: read('file:///y') }],
    });
    expect(toCall('subscriptions/listen', '{"notifications":{}}')).toEqual({ calls: [] });
    expect(toCall('subscriptions/listen', '{}')).toEqual({ calls: [] });
  });

  it('completion/complete is like getting the prompt, with what is typed as an argument', () => {
    const params =
      '{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"__proto__","value":"v"},"context":{"arguments":{"b":"w"}}}';
    const args = Object.fromEntries([
      ['b', 'w'],
      ['__proto__', 'v'],
    ]);
    expect(toCall('completion/complete', params)).toEqual({
      calls: [
        {
          method: 'completion/complete',
          server: 'files',
          prompt: 'p',
          args,
          like: { method: 'prompts/get', server: 'files', prompt: 'p', args },
        },
      ],
    });
    const resource = '{"ref":{"type":"ref/resource","uri":"file:///{a}"},"argument":{"name":"a","value":"v"}}';
    expect(toCall('completion/complete', resource)).toMatchObject({
      calls: [{ resource: 'file:///{a}', like: { ...(read('file:///v') as object), like: read('file:///{a}') } }],
    });
    const other = resource.replace('"name":"a"', '"name":"b"');
    expect(toCall('completion/complete', other)).toMatchObject({
      calls: [{ resource: 'file:///{a}', like: read('file:///{a}') }],
    });
  });

  it('a completion whose URI is longer than anybody reads is a problem', () => {
    const params = { ref: { type: 'ref/resource', uri: '{a}'.repeat(5000) }, argument: { name: 'a', value: 'v'.repeat(5000) } };
    expect(toCall('completion/complete', JSON.stringify(params))).toEqual({ problem: expect.stringContaining('params.ref.uri') });
  });

  it('those methods are the ones that the policy takes for such', () => {
    const own: readonly string[] = Object.values(SUBJECT_METHODS);
    const all = [...REVIEWED_METHODS.keys()].filter((method) => !own.includes(method));
    expect(LIKE_METHODS.resource.toSorted()).toEqual(all.toSorted());
  });

  it.each([
    ['subscriptions/listen', '{"notifications":{"resourceSubscriptions":"file:///x"}}'],
    ['subscriptions/listen', '{"notifications":{"resourceSubscriptions":[1]}}'],
    ['resources/subscribe', '{"uri":null}'],
    ['completion/complete', '{}'],
    ['completion/complete', '{"ref":{"type":"ref/else","name":"p"},"argument":{"name":"a","value":"v"}}'],
    ['completion/complete', '{"ref":{"type":"ref/prompt","name":"p"},"argument":{"value":"v"}}'],
  ])('hazard 16: %s %s is a problem', (method, params) => {
    expect(toCall(method, params)).toEqual({ problem: expect.any(String) });
  });
});

it('toMethodCall knows only the method', () => {
  expect(toMethodCall('s', 'ping')).toEqual({ method: 'ping', server: 's' });
  expect(toMethodCall('s', 'what/ever')).toEqual({ method: 'what/ever', server: 's', isUnknownMethod: true });
});

describe('reviewedVariant', () => {
  it.each(['Tools/Call', 'tools/call\0', ' tools/call', 'tools/call\n', 'tool\u017f/call', 'RESOURCES/READ', 'prompts/get\0x'])(
    'hazard 12: %j is one',
    (method) => {
      expect(reviewedVariant(method)).toBeDefined();
    },
  );

  it.each(['tools/call', 'tools/list', 'ping', '', 'tools/calls'])('%j is none', (method) => {
    expect(reviewedVariant(method)).toBeUndefined();
  });
});

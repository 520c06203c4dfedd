import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/core/json.ts';
import { REVIEWED_METHODS, reviewedVariant, toMethodCall } from '../../src/gate/methods.ts';

function toCall(method: string, params: string): unknown {
  const value = parseJson(params);
  if (typeof value !== 'object' || value === null) throw new Error('params are an object here');
  return REVIEWED_METHODS.get(method)?.toCall('files', value as never);
}

describe('REVIEWED_METHODS', () => {
  it('reviews exactly these', () => {
    expect([...REVIEWED_METHODS.keys()]).toEqual(['tools/call', 'resources/read', 'prompts/get']);
  });

  it.each([
    ['tools/call', '{"name":"t","arguments":{"a":[1]}}', { tool: 't', args: { a: [1] } }],
    ['tools/call', '{"name":"t","arguments":null}', { tool: 't', args: undefined }],
    ['tools/call', '{"name":"t"}', { tool: 't', args: undefined }],
    ['resources/read', '{"uri":"file:///x"}', { resource: 'file:///x' }],
    ['prompts/get', '{"name":"p","arguments":{"a":"b"}}', { prompt: 'p', args: { a: 'b' } }],
  ])('%s %s', (method, params, expected) => {
    expect(toCall(method, params)).toEqual({ call: { method, server: 'files', ...expected } });
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

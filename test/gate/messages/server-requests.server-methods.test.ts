import { describe, expect, it } from 'vitest';
import { refuseServerRequest, toServerCall } from '../../../src/gate/messages/server-requests.ts';

describe('refuseServerRequest', () => {
  it.each([
    ['sampling/createMessage', { error: { code: -1, message: 'why' } }],
    ['elicitation/create', { result: { action: 'decline' } }],
    ['roots/list', { error: { code: -32601, message: 'why' } }],
    ['what/ever', { error: { code: 40300, message: 'why' } }],
  ])('%s', (method, answer) => {
    expect(JSON.parse(refuseServerRequest(method, '"x"', 'why'))).toEqual({ jsonrpc: '2.0', id: '"x"'.slice(1, 2), ...answer });
  });
});

describe('toServerCall', () => {
  it('gives rules the params to look into', () => {
    expect(toServerCall('s', 'elicitation/create', { message: 'm' })).toEqual({
      method: 'elicitation/create',
      server: 's',
      args: { message: 'm' },
    });
    expect(toServerCall('s', 'roots/list', undefined).args).toBeUndefined();
  });
});

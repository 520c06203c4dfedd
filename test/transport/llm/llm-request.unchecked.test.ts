import { expect, it } from 'vitest';
import { anthropicApi } from '../../../src/protocol/llm/anthropic/api.ts';
import { describeUnchecked, methodOf } from '../../../src/transport/llm/llm-request.ts';

it.each([
  [{ method: 'GET', headers: {}, url: '/a?x=1' }, 'GET'],
  [{ method: 'GET', headers: { 'x-http-method-override': 'GET' }, url: '/a' }, 'POST'],
  [{ method: 'DELETE', headers: { 'x-http-method': 'POST' }, url: '/a' }, 'POST'],
  [{ method: 'GET', headers: {}, url: '/a?alt=json&$httpMethod=POST' }, 'POST'],
  [{ method: 'GET', headers: {}, url: '/a?%24HTTPmethod=POST' }, 'POST'],
])('of %j the method is %s', (request, method) => {
  expect(methodOf(request)).toBe(method);
});

it('a refusal says what was asked, what is looked at and what to do; a long path is cut', () => {
  const { told, why } = describeUnchecked({ method: 'POST', path: '/v1/x', api: anthropicApi });
  expect(told).toBe('refused POST /v1/x: clawai could not see what the model calls there');
  expect(why).toMatch(/^clawai refuses POST \/v1\/x: .* it only inspects \/v1\/messages .* clawai run --no-llm, /);
  const long = describeUnchecked({ method: undefined, path: `/${'x'.repeat(999)}`, api: anthropicApi });
  expect(long.told).toMatch(/^refused a WebSocket at \/x{199}: /);
});

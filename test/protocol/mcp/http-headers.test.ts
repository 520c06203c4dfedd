import { describe, expect, it } from 'vitest';
import {
  findDisagreement,
  type HeaderValues,
  looksModern,
  mayDisagree,
  readDeclaredHeaders,
  readHeaderClaims,
  repeatsArguments,
} from '../../../src/protocol/mcp/http-headers.ts';

const VERSION = 'io.modelcontextprotocol/protocolVersion';

function problem(headers: HeaderValues, message: unknown): string | undefined {
  const claims = readHeaderClaims(headers) ?? { version: undefined, repeated: [] };
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  if (!mayDisagree(claims, Buffer.from(body))) return undefined;
  const { method, params } = JSON.parse(body) as { method?: string; params?: unknown };
  return findDisagreement(claims, { method, params });
}

function request(method: string, params: unknown): Record<string, unknown> {
  return { jsonrpc: '2.0', id: 1, method, params };
}

const call = (args: unknown): unknown => request('tools/call', { name: 'a', arguments: args });
const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;

describe('Mcp-Method and Mcp-Name', () => {
  it.each<readonly [HeaderValues, unknown]>([
    [{}, call({})],
    [{ 'mcp-method': 'tools/call', 'mcp-name': 'a' }, call({})],
    [{ 'mcp-name': 'file:///x' }, request('resources/read', { uri: 'file:///x' })],
    [{ 'mcp-name': 'p' }, request('prompts/get', { name: 'p' })],
    [{ 'mcp-name': 't1' }, request('tasks/cancel', { taskId: 't1' })],
    [{ 'mcp-name': base64('größe ') }, request('tools/call', { name: 'größe ' })],
    [{ 'mcp-name': base64('=?base64?YQ==?=') }, request('tools/call', { name: '=?base64?YQ==?=' })],
    [{ 'mcp-name': '=?a' }, request('tools/call', { name: '=?a' })],
    [{ 'mcp-method': 'ping' }, '{"jsonrpc":"2.0","id":1,"method":"\\u0070ing"}'],
  ])('%j agrees', (headers, message) => {
    expect(problem(headers, message)).toBeUndefined();
  });

  it.each<readonly [HeaderValues, unknown]>([
    [{ 'mcp-method': 'tools/list' }, call({})],
    [{ 'mcp-method': 'Tools/Call' }, call({})],
    // Node joins what came twice.
    [{ 'mcp-method': 'tools/call, tools/call' }, call({})],
    [{ 'mcp-method': '' }, call({})],
    [{ 'mcp-method': 'tools/call' }, [call({})]],
    [{ 'mcp-method': 'tools/call' }, { jsonrpc: '2.0', id: 1, result: {} }],
    [{ 'mcp-name': 'b' }, call({})],
    [{ 'mcp-name': 'a' }, request('ping', undefined)],
    [{ 'mcp-name': base64('b') }, call({})],
    [{ 'mcp-name': '=?base64?!?=' }, call({})],
    [{ 'mcp-name': '=?base64?YQ?=' }, call({})],
    [{ 'mcp-name': '=?BASE64?YQ==?=' }, call({})],
    [{ 'mcp-name': '=?base64?/w==?=' }, request('tools/call', { name: '\uFFFD' })],
  ])('%j does not', (headers, message) => {
    expect(problem(headers, message)).toMatch(/^Mcp-(Method|Name) /);
  });

  it.each([
    ['tools/call', { name: 'harmless', uri: 'danger', taskId: 'danger' }],
    ['prompts/get', { name: 'harmless', uri: 'danger' }],
    ['resources/read', { uri: 'harmless', name: 'danger' }],
    ['tasks/get', { taskId: 'harmless', name: 'danger' }],
  ])('the name of %s is that which was decided about, and no other of the params', (method, params) => {
    expect(problem({ 'mcp-name': 'harmless' }, request(method, params))).toBeUndefined();
    expect(problem({ 'mcp-name': 'danger' }, request(method, params))).toContain('Mcp-Name');
  });

  it('inherited properties are none', () => {
    expect(
      problem({ 'mcp-name': 'function' }, request('tools/call', JSON.parse('{"__proto__":{"name":"function"}}'))),
    ).toBeDefined();
    expect(problem({ 'mcp-param-x': 'length' }, call([]))).toBeDefined();
  });
});

describe('Mcp-Param-…', () => {
  it.each<readonly [string, unknown]>([
    ['text', { a: 'text' }],
    ['42', { a: 42 }],
    ['42.0', { a: 42 }],
    ['-0.5', { a: -0.5 }],
    ['true', { a: true }],
    ['false', { a: { b: [{ c: false }] } }],
    ['42', { a: '42' }],
    [base64('zwei\nZeilen'), { a: { b: 'zwei\nZeilen' } }],
    ['', { a: '' }],
  ])('%s is in %j', (value, args) => {
    expect(problem({ 'mcp-param-region': value }, call(args))).toBeUndefined();
  });

  it.each<readonly [string, unknown]>([
    ['text', { a: 'Text' }],
    ['42', { a: 43 }],
    ['042x', { a: 42 }],
    ['42.0', { a: '42' }],
    ['0x2a', { a: 42 }],
    ['True', { a: true }],
    ['9007199254740993', { a: 9_007_199_254_740_992 }],
    ['a', { a: 'b' }],
    ['text', undefined],
    ['text', {}],
    ['undefined', {}],
    ['[object Object]', { a: {} }],
  ])('%s is not in %j', (value, args) => {
    expect(problem({ 'mcp-param-region': value }, call(args))).toMatch(/^Mcp-Param-Region /);
  });

  it('one of several is enough to disagree', () => {
    expect(problem({ 'mcp-param-a': 'x', 'mcp-param-b': 'y' }, call({ a: 'x' }))).toContain('Mcp-Param-B');
  });

  it('may be many beside many arguments', () => {
    const headers = Object.fromEntries(Array.from({ length: 700 }, (_, i) => [`mcp-param-${i}`, 'last']));
    const list = Array.from({ length: 200_000 }, (_, i) => `v${i}`);
    expect(problem(headers, call({ last: 'last', list }))).toBeUndefined();
    expect(problem({ ...headers, 'mcp-param-x': 'none' }, call({ last: 'last', list }))).toContain('Mcp-Param-X');
    const zeros = Object.fromEntries(Array.from({ length: 700 }, (_, i) => [`mcp-param-${i}`, `0.${'0'.repeat(i + 1)}`]));
    expect(problem(zeros, call({ list: list.map(() => 0) }))).toBeUndefined();
  });
});

describe('Mcp-Param-… where the schema of the tool is known', () => {
  const declaredIn = (inputSchema: unknown): ReturnType<typeof readDeclaredHeaders> =>
    readDeclaredHeaders(JSON.stringify({ name: 'a', inputSchema }));
  const named = (name: string): object => ({ type: 'string', 'x-mcp-header': name });

  it('reads which argument each repeats', () => {
    const schema = {
      properties: {
        region: named('Region'),
        deep: { properties: { er: named('X-Deep') } },
        'x-mcp-header': { type: 'string' },
        list: { items: named('Item') },
        one: named('Twice'),
        two: named('TWICE'),
      },
      anyOf: [{ properties: { a: named('Any') } }],
    };
    const declared = declaredIn(schema);
    expect(Object.fromEntries(declared ?? [])).toEqual({
      region: ['region'],
      'x-deep': ['deep', 'er'],
      item: undefined,
      twice: undefined,
      any: undefined,
    });
    expect(declaredIn(undefined)?.size).toBe(0);
    expect(declaredIn({ 'x-mcp-header': 'Root' })?.has('root')).toBe(true);
    expect(readDeclaredHeaders('{"cut')).toBeUndefined();
  });

  const declared = declaredIn({ properties: { a: named('A'), b: { items: named('B') } } });
  const disagreement = (headers: HeaderValues, args: unknown): string | undefined =>
    findDisagreement(readHeaderClaims(headers) ?? { version: undefined, repeated: [] }, {
      method: 'tools/call',
      params: { name: 't', arguments: args },
      declared,
    });

  it.each<readonly [HeaderValues, unknown]>([
    [{ 'mcp-param-other': 'x' }, {}],
    [{ 'mcp-param-other': '\u00e9' }, {}],
    [{ 'mcp-param-a': 'x' }, { a: 'x' }],
    [{ 'mcp-param-a': '42.0' }, { a: 42 }],
    [{ 'mcp-param-a': '' }, { a: '' }],
    [{ 'mcp-param-b': 'y' }, { b: ['x', 'y'] }],
  ])('%j agrees with %j', (headers, args) => {
    expect(disagreement(headers, args)).toBeUndefined();
  });

  it.each<readonly [HeaderValues, unknown]>([
    [{ 'mcp-param-a': 'x' }, { b: 'x' }],
    [{ 'mcp-param-a': 'null' }, { a: null }],
    [{ 'mcp-param-a': 'x' }, { a: ['x'] }],
    [{ 'mcp-param-a': '\u00e9' }, { a: '\u00e9' }],
    [{ 'mcp-param-b': 'z' }, { b: ['x', 'y'] }],
    [{ 'mcp-param-a': 'x', 'mcp-name': 'other' }, { a: 'x' }],
  ])('%j does not agree with %j', (headers, args) => {
    expect(disagreement(headers, args)).toBeDefined();
  });
});

describe('MCP-Protocol-Version', () => {
  const of = (said: unknown): unknown => request('ping', { _meta: { [VERSION]: said } });
  it('agrees with the body, where that says one', () => {
    expect(problem({ 'mcp-protocol-version': '2026-07-28' }, of('2026-07-28'))).toBeUndefined();
    expect(problem({ 'mcp-protocol-version': '2025-06-18' }, request('ping', {}))).toBeUndefined();
    expect(problem({ 'mcp-protocol-version': '2025-06-18' }, of('2026-07-28'))).toContain('2025-06-18');
    expect(problem({ 'mcp-protocol-version': '2026-07-28, 2026-07-28' }, of('2026-07-28'))).toBeDefined();
  });

  it.each<readonly [HeaderValues, unknown, boolean]>([
    [{}, request('ping', {}), false],
    [{ 'mcp-protocol-version': '2025-11-25' }, request('ping', {}), false],
    [{ 'mcp-protocol-version': '2026-07-28' }, request('ping', {}), true],
    [{ 'mcp-protocol-version': '2027-01-01' }, request('ping', {}), true],
    // As mcp-remote 0.15 sends it in the legacy era.
    [{ 'mcp-method': 'ping' }, request('ping', {}), false],
    [{ 'mcp-method': 'ping', 'mcp-protocol-version': '2025-11-25' }, request('ping', {}), false],
    [{}, of('2026-07-28'), true],
    // It is only talked about.
    [{}, call({ text: VERSION }), false],
    [{ 'mcp-protocol-version': '2025-11-25' }, call({ text: VERSION }), false],
  ])('%j with %j: modern is %s', (headers, message, expected) => {
    expect(looksModern(headers, Buffer.from(JSON.stringify(message)))).toBe(expected);
  });
});

describe('what headers say about a body', () => {
  it.each<readonly [HeaderValues, ReturnType<typeof readHeaderClaims>]>([
    [{}, undefined],
    [{ host: 'a', 'mcp-session-id': 's' }, undefined],
    [{ 'mcp-protocol-version': '2026-07-28' }, { version: '2026-07-28', repeated: [] }],
    [
      { 'mcp-name': 'a', 'mcp-param-x': ['1', '2'] },
      {
        version: undefined,
        repeated: [
          ['mcp-name', 'a'],
          ['mcp-param-x', undefined],
        ],
      },
    ],
  ])('%j', (headers, claims) => {
    expect(readHeaderClaims(headers)).toEqual(claims);
  });

  it('may be of arguments', () => {
    expect(repeatsArguments({ version: '1', repeated: [['mcp-name', 'a']] })).toBe(false);
    expect(repeatsArguments({ version: undefined, repeated: [['mcp-param-a', 'a']] })).toBe(true);
  });

  it.each([
    ['{"method":"ping"}', false],
    ['{"params":{"_meta":{}}}', true],
    [String.raw`{"params":{"_\u006deta":{}}}`, true],
  ])('a version can contradict %s: %s', (body, may) => {
    expect(mayDisagree({ version: '2025-11-25', repeated: [] }, Buffer.from(body))).toBe(may);
    expect(mayDisagree({ version: undefined, repeated: [['mcp-method', 'a']] }, Buffer.from(body))).toBe(true);
  });
});

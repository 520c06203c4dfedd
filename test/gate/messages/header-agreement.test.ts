import { describe, expect, it } from 'vitest';
import { isMismatch, refuseMismatch } from '../../../src/gate/messages/header-agreement.ts';
import { Interceptor } from '../../../src/gate/interceptor.ts';
import type { RefusalRecord } from '../../../src/gate/ports/records.ts';
import { denyToolCall } from '../../../src/gate/calls/reply.ts';
import { BUSY, type Verdict } from '../../../src/gate/verdict.ts';
import { type HeaderClaims, type HeaderValues, readHeaderClaims } from '../../../src/protocol/mcp/http-headers.ts';
import { settled, testSetup } from '../../support/gate.ts';
import { createTestSink } from '../../support/sink.ts';

const ALLOW = '[defaults]\naction = "allow"\n';
const DENY = '[[rule]]\naction = "deny"\ntool = "shell"\n';

/** What becomes of a body under these headers, and what was recorded. */
async function send(
  body: string,
  headers: HeaderValues,
  isObserving = false,
): Promise<{ verdict: Verdict; refusals: readonly RefusalRecord[] }> {
  const { sink, refusals } = createTestSink();
  const gate = new Interceptor(testSetup(ALLOW + DENY, { sink }, { isObserving }));
  const bytes = Buffer.from(body);
  const verdict = await settled(gate, gate.fromClient(bytes, 0, bytes.length, readHeaderClaims(headers)));
  await gate.finish();
  return { verdict, refusals };
}

const request = (method: string, params: unknown, id: unknown = 7): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const VERSION = 'io.modelcontextprotocol/protocolVersion';

describe('hazard 12: a message under HTTP headers', () => {
  it.each<readonly [string, HeaderValues]>([
    [request('tools/call', { name: 'read', arguments: { n: 42 } }), { 'mcp-method': 'tools/call', 'mcp-name': 'read' }],
    // A number is what it is worth, however it is spelled.
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"r","arguments":{"n":42.0}}}', { 'mcp-param-n': '42' }],
    [request('ping', {}), { 'mcp-method': 'ping', 'mcp-protocol-version': '2025-11-25' }],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', {}],
  ])('%s goes on with %j', async (body, headers) => {
    const { verdict, refusals } = await send(body, { 'mcp-protocol-version': '2025-03-26', ...headers });
    expect(verdict.kind === 'forward' || body.startsWith('[')).toBe(true);
    expect(refusals.map(({ problem }) => problem)).toEqual(body.startsWith('[') ? [expect.stringContaining('batch')] : []);
  });

  it.each<readonly [string, HeaderValues, unknown]>([
    [request('tools/call', { name: 'read' }), { 'mcp-name': 'shell' }, 7],
    [request('tools/call', { name: 'read' }, 'x'), { 'mcp-method': 'ping' }, 'x'],
    [request('tools/call', { name: 'read', arguments: { a: 'b' } }), { 'mcp-param-a': 'c' }, 7],
    [request('ping', { _meta: { [VERSION]: '2026-07-28' } }), { 'mcp-protocol-version': '2025-11-25' }, 7],
    ['{"jsonrpc":"2.0","id":7,"method":"ping","params":{"name":"a","name":"b"}}', { 'mcp-name': 'b' }, 7],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', { 'mcp-method': 'ping' }, null],
    ['{"jsonrpc":"2.0","id":7,"result":{}}', { 'mcp-method': 'ping' }, 7],
    ['{"jsonrpc":"2.0","method":"notifications/x"}', { 'mcp-method': 'notifications/y' }, null],
  ])('%s does not with %j, and that is recorded', async (body, headers, id) => {
    const { verdict, refusals } = await send(body, headers);
    const line = verdict.kind === 'reply' ? verdict.line : '';
    expect(JSON.parse(line)).toMatchObject({ id, error: { code: -32020 } });
    expect(isMismatch(line)).toBe(true);
    expect(refusals).toHaveLength(1);
  });

  it('goes on all the same where nothing is enforced', async () => {
    expect((await send(request('tools/call', { name: 'read' }), { 'mcp-name': 'shell' }, true)).verdict).toEqual({
      kind: 'forward',
    });
  });

  it('is denied as ever where its headers agree', async () => {
    const { verdict } = await send(request('tools/call', { name: 'shell' }), { 'mcp-name': 'shell' });
    expect(verdict.kind).toBe('reply');
    expect(isMismatch(JSON.stringify(verdict))).toBe(false);
  });

  it.each(['nonsense', '', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}'])(
    '%j is left to those who say what is wrong',
    async (body) => {
      const { verdict } = await send(body, { 'mcp-method': 'ping' });
      expect(isMismatch(verdict.kind === 'reply' ? verdict.line : '')).toBe(false);
    },
  );
});

it('waits where nobody can say yet which argument a header repeats', () => {
  const reader = {
    readParamsAhead: () => ({ name: 't' }),
    readDefinition: () => undefined,
    noteRefusal: () => expect.unreachable(),
  };
  const bytes = Buffer.from(request('tools/call', { name: 't' }));
  const message = { kind: 'request', bytes, method: 'tools/call', params: { start: 0, end: 1 } };
  const claims = readHeaderClaims({ 'mcp-param-a': 'b' }) as HeaderClaims;
  expect(refuseMismatch(reader, message as never, claims)).toBe(BUSY);
});

it('one that no tool is called with passes on with whatever else is sent', async () => {
  expect((await send(request('ping', {}), { 'mcp-param-a': 'b' })).verdict).toEqual({ kind: 'forward' });
});

it('nothing is read where the headers can not disagree', () => {
  const claims: HeaderClaims = { version: '2025-11-25', repeated: [] };
  const reader = {
    readParamsAhead: () => expect.unreachable(),
    readDefinition: () => expect.unreachable(),
    noteRefusal: () => expect.unreachable(),
  };
  const bytes = Buffer.from(request('ping', {}));
  const message = { kind: 'request', bytes, method: 'ping', params: { start: 0, end: 1 } };
  expect(refuseMismatch(reader, message as never, claims)).toBeUndefined();
});

it('a denial that talks of the code is no mismatch', () => {
  const call = { method: 'tools/call', server: 's', tool: '"error":{"code":-32020,' };
  const decision = { action: 'deny', reason: 'default', findings: [], policyHash: '' } as const;
  expect(isMismatch(denyToolCall('7', false, { call, decision, asked: undefined, record: 'r' }))).toBe(false);
});

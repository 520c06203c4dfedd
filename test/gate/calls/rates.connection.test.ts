import { describe, expect, it } from 'vitest';
import { createTestGate, toolCall } from '../../support/gate.ts';

const LIMITED = `[defaults]
action = "allow"
[rate_limits]
enabled = true
[rate_limits.server.files]
rpm = 10
burst = 2
`;

describe('rate limits on a connection', () => {
  it('each call of a batch is counted: no more of them go on than of calls that come one by one', async () => {
    const gate = createTestGate(LIMITED);
    await gate.client('{"jsonrpc":"2.0","id":"i","method":"initialize","params":{}}');
    await gate.server('{"jsonrpc":"2.0","id":"i","result":{"protocolVersion":"2025-03-26"}}');
    const batch = `[${[1, 2, 3, 4, 5].map((id) => toolCall('read', {}, { id })).join(',')}]`;
    expect(await gate.client(batch)).toMatchObject({ onward: [{ id: 1 }, { id: 2 }] });
    expect(gate.records.map(({ reason }) => reason)).toEqual(['default', 'default', 'rate_limit', 'rate_limit', 'rate_limit']);
  });

  it('a tool call is answered by a result that says when to come back, a prompt and a resource by an error that does', async () => {
    const gate = createTestGate(LIMITED);
    for (let id = 1; id <= 2; id++) expect(await gate.client(toolCall('read', {}, { id }))).toBe('forward');
    expect(await gate.client(toolCall('read', {}, { id: 3 }))).toMatchObject({
      result: { isError: true, _meta: { 'dev.clawai/decision': { reason: 'rate_limit', retry_after: 6 } } },
    });
    for (const [method, params] of [
      ['prompts/get', { name: 'p' }],
      ['resources/read', { uri: 'x://y' }],
    ]) {
      expect(await gate.client(JSON.stringify({ jsonrpc: '2.0', id: 4, method, params }))).toMatchObject({
        error: { code: 40300, data: { retry_after: 6 } },
      });
    }
    // What asks for nothing to be done goes on.
    expect(await gate.client('{"jsonrpc":"2.0","id":5,"method":"ping"}')).toBe('forward');
    expect(await gate.client('{"jsonrpc":"2.0","id":6,"method":"tools/list"}')).not.toHaveProperty('error');
  });

  it('hazard 39: where all is only observed, what is denied costs nothing either', async () => {
    const gate = createTestGate(LIMITED, {}, true);
    for (let id = 1; id <= 5; id++) expect(await gate.client(toolCall('read', {}, { id }))).toBe('forward');
    expect(gate.records.map(({ decision }) => decision.excess?.retryAfter)).toEqual([undefined, undefined, 6, 6, 6]);
  });

  it('where the buckets fail a call is denied, and the user told why', async () => {
    const fail = (): never => {
      throw new Error('no buckets');
    };
    const gate = createTestGate(LIMITED, { buckets: { read: fail, write: fail } });
    expect(await gate.client(toolCall('read'))).toMatchObject({ result: { isError: true } });
    expect(gate.warnings.join('\n')).toContain('no buckets');
  });
});

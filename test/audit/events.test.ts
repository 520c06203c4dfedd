import { describe, expect, it } from 'vitest';
import { callEvent, refusalEvent, summaryEvent } from '../../src/audit/events.ts';
import type { CallRecord } from '../../src/gate/ports.ts';

const RECORD: CallRecord = {
  id: 's.1',
  time: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
  session: 's',
  call: { method: 'tools/call', server: 'files', tool: 'read_file', args: { path: '/home/u/.ssh/id_rsa', head: 3 } },
  requestId: '"7"',
  decision: { action: 'deny', reason: 'rule', rule: { index: 0, action: 'deny', id: 'ssh' }, findings: [], policyHash: 'abc' },
  asked: undefined,
  reason: 'rule',
  isObserved: false,
  latency: 12.4,
};

describe('callEvent', () => {
  it('has the fields of a tool call', () => {
    expect(callEvent(RECORD)).toEqual({
      type: 'mcp_tool_called',
      id: 's.1',
      timestamp: '2026-01-02T03:04:05.006Z',
      session_id: 's',
      server_id: 'files',
      method: 'tools/call',
      tool_name: 'read_file',
      argument_names: ['path', 'head'],
      jsonrpc_id: '7',
      action: 'block',
      decision: 'deny',
      reason: 'rule',
      rule: 'ssh',
      mode: 'enforce',
      policy_hash: 'abc',
      latency_us: 12,
      inspectors: ['policy'],
    });
  });

  it('leaves argument values out, which can hold secrets', () => {
    expect(JSON.stringify(callEvent(RECORD))).not.toContain('id_rsa');
  });

  it.each([
    ['allow', undefined, 'allow'],
    ['deny', undefined, 'block'],
    ['prompt', 'unavailable', 'block'],
    ['prompt', 'refused', 'block'],
    ['prompt', 'granted', 'allow'],
  ] as const)('a decision %s, asked %s, is %s', (action, asked, expected) => {
    const event = callEvent({ ...RECORD, decision: { ...RECORD.decision, action }, asked });
    expect(event).toMatchObject({ action: expected, decision: action });
  });

  it.each([
    ['7', 7],
    ['"7"', '7'],
    ['9007199254740993', '9007199254740993'],
    ['1.0', '1.0'],
  ])('keeps the id %s exact', (requestId, expected) => {
    expect(callEvent({ ...RECORD, requestId })['jsonrpc_id']).toBe(expected);
  });

  it('names resources and prompts, and cuts what is endless', () => {
    const resource = callEvent({ ...RECORD, call: { method: 'resources/read', server: 's', resource: 'x'.repeat(5000) } });
    expect(resource['type']).toBe('mcp_resource_read');
    expect(resource['resource_uri']).toHaveLength(1025);
    expect(callEvent({ ...RECORD, call: { method: 'prompts/get', server: 's', prompt: 'p' } })).toMatchObject({
      type: 'mcp_prompt_requested',
      prompt_name: 'p',
    });
  });
});

describe('refusalEvent', () => {
  it('says what was refused and why', () => {
    const record = {
      time: 0,
      session: 's',
      server: 'files',
      from: 'client',
      problem: 'twice',
      method: 'ping',
      requestId: '7',
      isObserved: false,
    } as const;
    expect(refusalEvent(record)).toEqual({
      type: 'mcp_message_refused',
      timestamp: '1970-01-01T00:00:00.000Z',
      session_id: 's',
      server_id: 'files',
      from: 'client',
      method: 'ping',
      jsonrpc_id: 7,
      action: 'block',
      reason: 'twice',
      mode: 'enforce',
    });
    expect(refusalEvent({ ...record, isObserved: true })).toMatchObject({ action: 'allow', mode: 'observe' });
    expect(refusalEvent({ ...record, method: undefined, requestId: undefined })).not.toHaveProperty('method');
  });
});

describe('summaryEvent', () => {
  it('says what was seen', () => {
    const census = {
      fromClient: 3,
      fromServer: 2,
      inspected: 1,
      passed: 4,
      refused: 0,
      unasked: 0,
      decided: 1,
      denied: 1,
      methods: { ping: 2 },
    };
    expect(summaryEvent({ time: 0, session: 's', server: 'files', census })).toMatchObject({
      type: 'mcp_connection_ended',
      messages_from_client: 3,
      calls_blocked: 1,
      methods: { ping: 2 },
    });
  });
});

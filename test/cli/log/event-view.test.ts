import { describe, expect, it } from 'vitest';
import { type EventView, toEventView } from '../../../src/cli/log/event-view.ts';
import type { StoredEvent } from '../../../src/store/reading/read.ts';
import { type Body, recordedCall } from '../../support/recorded-store.ts';

function view(body: Body | null, columns: Partial<StoredEvent> = {}): EventView {
  const fields = body ?? {};
  return toEventView({
    seq: 1,
    time: 0,
    type: String(fields['type'] ?? 'mcp_tool_called'),
    session: 's',
    server: 'files',
    tool: (fields['tool_name'] as string | undefined) ?? null,
    action: (fields['action'] as string | undefined) ?? null,
    severity: null,
    body: body === null ? null : JSON.stringify(body),
    ...columns,
  });
}

describe('an event as people read it', () => {
  it.each<[string, Body, Partial<EventView>]>([
    [
      'an allowed call',
      {},
      { subject: 'read_file', action: 'allow', rule: 'reading', reason: 'rule', latency: '120 µs', detail: '' },
    ],
    ['a denied one', { action: 'block', decision: 'deny', latency_us: 2345 }, { action: 'block', latency: '2.3 ms' }],
    ['one that was only observed', { decision: 'deny', latency_us: 61_000_000 }, { action: 'allow (deny)', latency: '61.0 s' }],
    ['one that a person was asked about', { action: 'block', decision: 'prompt' }, { action: 'block (prompt)' }],
    ['a resource', { tool_name: undefined, resource_uri: 'file:///x' }, { subject: 'file:///x' }],
    ['a prompt', { tool_name: undefined, prompt_name: 'p' }, { subject: 'p' }],
    ['another method', { tool_name: undefined, method: 'x/y' }, { subject: 'x/y' }],
    [
      'a refusal',
      { type: 'mcp_message_refused', from: 'server', reason: 'two ids' },
      { reason: 'two ids', detail: 'from the server' },
    ],
    ['fields nobody knows', { type: 'mcp_tool_changed', diff: { a: [1] }, n: 2, gone: null }, { detail: 'diff={"a":[1]}, n=2' }],
    [
      'a flow',
      {
        type: 'mcp_cross_server_blocked',
        rule: 'read_then_send',
        severity: 'critical',
        reason: 'it would send',
        call_id: 'x',
        related_calls: ['a', 'b', 'c', 'd'].map((tool) => ({ server_id: 's', tool_name: tool })),
        evidence: 'a text of 40 characters',
        evidence_encoding: 'base64',
        evidence_source: 'y',
      },
      {
        rule: 'read_then_send',
        reason: 'it would send',
        detail: 'with s:b, s:c, s:d and 1 more, value: a text of 40 characters, as base64',
      },
    ],
    [
      'a flow whose reason says what flows',
      {
        type: 'mcp_cross_server_blocked',
        rule: 'read_then_send',
        reason: 'it would send what it got: a text of 40 characters, as base64',
        evidence: 'a text of 40 characters',
        evidence_encoding: 'base64',
      },
      { detail: '' },
    ],
    [
      'a flow that an edit has made nonsense of',
      { type: 'mcp_cross_server_blocked', related_calls: 5, evidence: {} },
      { detail: '' },
    ],
    ['numbers of another kind', { latency_us: 'x', rule: 5, reason: null }, { latency: '', rule: '5', reason: '' }],
  ])('%s', (_name, fields, expected) => {
    expect(view(recordedCall(fields))).toMatchObject(expected);
  });

  it('hazard 52: says what was not looked at', () => {
    expect(view(recordedCall({ inspectors: [] })).detail).toBe('not inspected');
    const skipped = [{ what: 'input', why: 'too_long' }, 'all', { what: 'x' }];
    expect(view(recordedCall({ skipped })).detail).toBe('skipped: input (too_long), all, {"what":"x"}');
    expect(view(recordedCall({ skipped: [] })).detail).toBe('');
  });

  it.each([
    [null, 'its body was erased'],
    ['[]', 'its body is not readable'],
    ['{', 'its body is not readable'],
  ])('with the body %j is told by its columns', (body, detail) => {
    expect(view(null, { body, tool: 'rm', action: 'block', severity: 'high' })).toMatchObject({
      server: 'files',
      subject: 'rm',
      action: 'block',
      severity: 'high',
      rule: '',
      detail,
    });
  });
});

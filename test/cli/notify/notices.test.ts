import { describe, expect, it } from 'vitest';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../../src/config/read-webhooks.ts';
import { toNotice, toQuestionNotice } from '../../../src/cli/notify/notices.ts';
import type { StoredEvent } from '../../../src/store/reading/read.ts';

const ALL = { events: WEBHOOK_EVENTS, minSeverity: 'high' } as const;

function event(type: string, columns: Partial<StoredEvent> = {}, body: object = {}): StoredEvent {
  const common = { seq: 1, time: 2, session: 's', server: 'files', tool: 'write_file', action: null, severity: null };
  return { ...common, type, body: JSON.stringify(body), ...columns };
}

const DENIED = event('mcp_tool_called', { action: 'block' }, { id: '0123456789abcdef.7', reason: 'rule', rule: 'no-writes' });

describe('what a webhook tells', () => {
  it.each<[string, StoredEvent, WebhookEvent | undefined]>([
    ['a denied call', DENIED, 'denials'],
    ['a denied call of a model', event('mcp_tool_call_intercepted', { action: 'block' }), 'denials'],
    ['an allowed call', event('mcp_tool_called', { action: 'allow' }), undefined],
    ['a changed tool', event('mcp_tool_changed', { action: 'alert' }), 'definitions'],
    ['a changed launch', event('mcp_server_changed', { action: 'block', tool: null }), 'definitions'],
    ['a seen tool', event('mcp_tool_seen'), undefined],
    ['a finding', event('mcp_detection', { severity: 'high' }), 'alarms'],
    ['a small finding', event('mcp_detection', { severity: 'medium' }), undefined],
    ['a finding without severity', event('mcp_detection'), undefined],
    ['a flow', event('mcp_cross_server_blocked', { severity: 'critical' }, { rule: 'burst' }), 'alarms'],
    ['a denied call with a result', event('mcp_denied_call_result'), 'alarms'],
    ['a refused connection', event('mcp_network_connection', { action: 'block' }), 'alarms'],
    ['a connection', event('mcp_network_connection', { action: 'allow' }), undefined],
    ['a call of the canary', { ...DENIED, server: 'clawai-doctor' }, undefined],
    ['an event without body', { ...DENIED, body: null }, 'denials'],
    ['an event with a strange body', { ...DENIED, body: '[1' }, 'denials'],
  ])('%s', (_name, stored, kind) => {
    expect(toNotice(stored, ALL)?.event).toBe(kind);
    const others = WEBHOOK_EVENTS.filter((each) => each !== kind);
    expect(toNotice(stored, { ...ALL, events: others })).toBeUndefined();
  });

  it('names the rule, and the command to look', () => {
    expect(toNotice(DENIED, ALL)).toMatchObject({
      text: 'clawai denied write_file of files (rule no-writes). To see why, run clawai log show 012345.7.',
      rule: 'no-writes',
      reason: 'rule',
    });
  });

  it('has no arguments, and nothing unseen of a name', () => {
    const secret = `sk-ant-api03-${'a1B2'.repeat(20)}AA`;
    const body = { input: { key: 'VALUE' }, told: 'VALUE', session_id: 'VALUE', findings: ['VALUE'] };
    const hostile = { ...DENIED, tool: `x\u202E\n${'y'.repeat(500)}`, body: JSON.stringify(body) };
    const text = JSON.stringify(toNotice(hostile, ALL));
    expect(text).not.toContain('VALUE');
    expect(text).not.toMatch(/\u202E|y{100}/);
    const question = { id: 'K7Q2MX', server: secret, method: 'tools/call', tool: secret, resource: null, prompt: null };
    const asked = toQuestionNotice({ ...question, rule: 'r', askedAt: 0, expiresAt: 40_000 }, 1000);
    expect(JSON.stringify(asked)).not.toContain('a1B2');
    expect(asked.text).toContain('39 s at most. Run clawai approvals, clawai approve K7Q2MX or clawai deny K7Q2MX.');
  });
});

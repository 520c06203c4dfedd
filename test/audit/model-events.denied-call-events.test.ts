import { expect, it } from 'vitest';
import { deniedCallMadeEvent } from '../../src/audit/model-events.ts';
import { findDifferingColumns } from '../../src/audit/event-columns.ts';
import type { DeniedCallMadeRecord } from '../../src/gate/ports/seen-call-port.ts';
import { SECRET_SAMPLES } from '../core/dlp/secret-samples.ts';

const RECORD: DeniedCallMadeRecord = {
  time: Date.UTC(2026, 0, 2),
  session: 'run-1',
  call: { method: 'tools/call', server: 'mail', tool: 'send', args: { to: 'a@example.com' } },
  record: 'r.9',
  denied: 'm.4',
  toolUseId: 'toolu_1',
  hasGoneOn: false,
};

it.each([
  [false, 'block'],
  [true, 'allow'],
] as const)('names both records, and what became of the call: gone on %s', (hasGoneOn, action) => {
  const event = deniedCallMadeEvent({ ...RECORD, hasGoneOn });
  expect(JSON.parse(event.body)).toEqual({
    type: 'mcp_denied_call_made',
    timestamp: '2026-01-02T00:00:00.000Z',
    session_id: 'run-1',
    server_id: 'mail',
    tool_name: 'send',
    action,
    severity: 'high',
    reason: 'the agent makes a call that was denied in the answer of the model',
    call_id: 'r.9',
    denied_call_id: 'm.4',
    tool_call_id: 'toolu_1',
  });
  const { body, ...columns } = event;
  expect(findDifferingColumns(columns as Parameters<typeof findDifferingColumns>[0], body)).toEqual([]);
});

it('keeps no secret that stands for a name or an id', () => {
  const secret = SECRET_SAMPLES[0]?.secret ?? '';
  expect(secret).not.toBe('');
  const call = { ...RECORD.call, server: secret, tool: secret };
  expect(JSON.stringify(deniedCallMadeEvent({ ...RECORD, call, toolUseId: secret }))).not.toContain(secret);
});

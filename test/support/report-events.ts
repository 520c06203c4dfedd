import type { StoredEvent } from '../../src/store/reading/read.ts';
import { type Body, recordedCall } from './recorded-store.ts';

/** An event as a store gives it, with the columns that its body says. */
export function stored(body: Body): StoredEvent {
  const orNull = (name: string): string | null => (typeof body[name] === 'string' ? body[name] : null);
  return {
    seq: 1,
    time: Date.parse(String(body['timestamp'])),
    type: String(body['type']),
    session: String(body['session_id']),
    server: String(body['server_id']),
    tool: orNull('tool_name'),
    action: orNull('action'),
    severity: orNull('severity'),
    body: JSON.stringify(body),
  };
}

/** What a flow rule says of a call, as it is recorded; it was denied unless it says otherwise. */
export function recordedFlow(fields: Body = {}): Body {
  const { type, timestamp, session_id } = recordedCall({ type: 'mcp_cross_server_blocked' });
  return {
    type,
    timestamp,
    session_id,
    server_id: 'mail',
    tool_name: 'send',
    blocked_server_id: 'mail',
    blocked_tool_name: 'send',
    method: 'tools/call',
    call_id: 'now',
    rule: 'read_then_send',
    severity: 'critical',
    action: 'block',
    reason: 'it would send what it read',
    related_calls: [
      {
        timestamp: '2026-03-01T11:59:57.000Z',
        server_id: 'files',
        tool_name: 'read_file',
        call_id: 'past',
        action: 'allow',
        category: 'read',
      },
    ],
    inspectors: ['flow'],
    skipped: [],
    ...fields,
  };
}

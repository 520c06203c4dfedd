import type { ConnectionRecord } from '../gate/connection-record.ts';
import type { AuditEvent } from '../gate/ports.ts';
import { EventText } from './event-text.ts';

/** The event of a connection that was refused because the server had another key than the one that it is pinned to. */
export function connectionEvent(record: ConnectionRecord): AuditEvent {
  const event = new EventText('mcp_network_connection');
  event.putTime(record.time);
  event.put('session_id', record.session);
  const server = event.putRedacted('server_id', record.server);
  event.put('server_type', 'http');
  event.putRedacted('remote_addr', record.address);
  event.put('action', 'block');
  event.put('severity', 'critical');
  event.putRedacted('reason', record.problem);
  event.putOwnId('expected_fingerprint', record.expected);
  event.putOwnId('found_fingerprint', record.found);
  const body = event.end([]);
  const { time, session } = record;
  return { type: event.type, time, session, server: server ?? '', action: 'block', severity: 'critical', body };
}

import type { AuditEvent } from '../gate/ports.ts';
import { EventText } from './event-text.ts';

export const REPLACED = 'the file of the store was deleted or replaced while it was in use: another one is written from now on';

/** The event that comes first in a store that took the place of another one under a running process. @param next that comes after it */
export function replacedEvent({ time, session, server }: AuditEvent): AuditEvent {
  const event = new EventText('mcp_store_replaced');
  event.putTime(time);
  event.put('session_id', session);
  event.putRedacted('server_id', server === '' ? undefined : server);
  event.put('action', 'alert');
  event.put('severity', 'critical');
  event.put('reason', REPLACED);
  return { type: event.type, time, session, server, action: 'alert', severity: 'critical', body: event.end([]) };
}

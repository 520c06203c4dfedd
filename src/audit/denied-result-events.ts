import type { AuditEvent, DeniedResultRecord } from '../gate/ports.ts';
import { EventText } from './event-text.ts';
import { DENIED_RESULT_TYPE } from './event-types.ts';

/** The event of a result that a client has sent of a call that was denied when a model made it. */
export function deniedResultEvent(record: DeniedResultRecord): AuditEvent {
  const { intercepted, time, session } = record;
  const event = new EventText(DENIED_RESULT_TYPE);
  event.putTime(time);
  event.put('session_id', session);
  const server = event.putRedacted('server_id', record.server);
  const tool = event.putRedacted('tool_name', record.tool);
  event.put('dialect', intercepted.dialect);
  event.putRedacted('request_id', record.request);
  // The request in whose answer the call was.
  event.putRedacted('denied_request_id', intercepted.request);
  event.putRedacted('tool_call_id', intercepted.id);
  event.putRedacted('model_tool_name', intercepted.name);
  event.put('action', 'alert');
  event.put('severity', 'critical');
  event.put('reason', 'the client has sent a result of a call that was denied');
  const body = event.end([]);
  return { type: event.type, time, session, server: server ?? '', tool, action: 'alert', severity: 'critical', body };
}

import type { OfferedDiffersRecord } from '../gate/offered-record.ts';
import type { AuditEvent } from '../gate/ports.ts';
import { EventText } from './event-text.ts';

/** The event of a tool that is offered to a model otherwise than its server has listed it. */
export function offeredDiffersEvent(record: OfferedDiffersRecord): AuditEvent {
  const { time, session } = record;
  const event = new EventText('mcp_tool_definition_differs');
  event.putTime(time);
  event.put('session_id', session);
  const server = event.putRedacted('server_id', record.server);
  const tool = event.putRedacted('tool_name', record.tool);
  event.putRedacted('model_tool_name', record.name);
  event.put('request_id', record.request);
  event.put('action', 'alert');
  event.put('severity', 'medium');
  event.put('differs', record.fields.join(' '));
  event.put('tool_hash', record.listed);
  event.put('offered_hash', record.offered);
  event.putRedacted('description', record.description);
  const body = event.end(['registry']);
  return { type: event.type, time, session, server: server ?? '', tool, action: 'alert', severity: 'medium', body };
}

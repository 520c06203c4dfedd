import type { AuditEvent } from '../gate/ports.ts';
import type { DeniedCallMadeRecord } from '../gate/sighting-port.ts';
import { EventText } from './event-text.ts';

/** The event of a call that is made although it was denied in a model's answer: the agent has it from elsewhere, or something was got around. */
export function deniedCallMadeEvent(record: DeniedCallMadeRecord): AuditEvent {
  const { call, time, session } = record;
  const event = new EventText('mcp_denied_call_made');
  const action = record.hasGoneOn ? 'allow' : 'block';
  event.putTime(time);
  event.put('session_id', session);
  const server = event.putRedacted('server_id', call.server);
  const tool = event.putRedacted('tool_name', call.tool);
  event.put('action', action);
  event.put('severity', 'high');
  event.put('reason', 'a call that was denied in the answer of the model is made all the same');
  event.put('call_id', record.record);
  event.put('denied_call_id', record.denied);
  event.putRedacted('tool_call_id', record.toolUseId);
  return { type: event.type, time, session, server: server ?? '', tool, action, severity: 'high', body: event.end(undefined) };
}

import type { PastCall } from '../core/finding.ts';
import type { AuditEvent } from '../gate/ports/ports.ts';
import type { FlowRecord } from '../gate/ports/records.ts';
import { EventText } from './event-text.ts';
import { FLOW_TYPE } from './event-types.ts';

/** Formats a call that completes a flow with other calls of its session, even if it was only reported. */
export function flowEvent(record: FlowRecord): AuditEvent {
  const { call, finding } = record;
  const event = new EventText(FLOW_TYPE);
  const action = record.action === 'deny' ? 'block' : record.action;
  event.putTime(record.time);
  event.put('session_id', record.session);
  event.put('rule', finding.rule);
  event.put('severity', finding.severity);
  // The event has both the fields that all events share and the event format's own.
  const server = event.putRedacted('server_id', call.server);
  const tool = event.putRedacted('tool_name', call.tool);
  event.put('blocked_server_id', server);
  event.put('blocked_tool_name', tool);
  event.putRedacted('resource_uri', call.resource);
  event.putRedacted('prompt_name', call.prompt);
  event.putRedacted('method', call.method);
  event.put('call_id', record.record);
  event.put('action', action);
  event.putRedacted('reason', finding.reason);
  event.putList('related_calls', finding.related, toFields);
  if (finding.evidence !== undefined) {
    event.put('evidence', finding.evidence.description);
    event.put('evidence_encoding', finding.evidence.encoding);
    event.put('evidence_source', finding.evidence.source);
  }
  return {
    type: event.type,
    time: record.time,
    session: record.session,
    server: server ?? '',
    tool,
    action,
    severity: finding.severity,
    body: event.end(['flow']),
  };
}

function toFields(call: PastCall): Record<string, string | undefined> {
  return {
    timestamp: new Date(call.time).toISOString(),
    server_id: call.server,
    tool_name: call.subject,
    request_id: call.turn,
    call_id: call.id,
    action: call.isForwarded ? 'allow' : 'block',
    category: call.categories.join(' '),
  };
}

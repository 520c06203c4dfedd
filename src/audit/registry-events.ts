import type { FieldChange } from '../core/registry/definition.ts';
import type { AuditEvent } from '../gate/ports/ports.ts';
import type { ChangedRecord, SeenRecord, ServerChangedRecord } from '../gate/ports/registry-port.ts';
import { NAME_FIELDS, putDetections } from './detection-events.ts';
import { EventText } from './event-text.ts';

/** Formats a listed definition that is new or changed. */
export function seenEvent(record: SeenRecord): AuditEvent {
  const event = new EventText('mcp_tool_seen');
  const { server, tool } = putDefinition(event, record);
  event.put('tool_hash', record.fingerprint);
  event.putRedacted('description', record.description);
  event.put('status', record.status);
  event.putRedacted('renamed_from', record.renamedFrom);
  if (record.lookAlikes.length > 0) {
    event.putList('look_alikes', record.lookAlikes, (owner) => ({ server_id: owner.server, tool_name: owner.name }));
  }
  event.putRedacted('problem', record.problem);
  putDetections(event, record.detections);
  event.put('max_severity', record.detections && (record.detections[0]?.severity ?? null));
  return { type: event.type, time: record.time, session: record.session, server, tool, body: event.end(['registry']) };
}

/** Formats a definition that differs from the trusted one. */
export function changedEvent(record: ChangedRecord): AuditEvent {
  const event = new EventText('mcp_tool_changed');
  const { server, tool } = putDefinition(event, record);
  const action = putChange(event, record);
  putDetections(event, record.detections);
  return { type: event.type, time: record.time, session: record.session, server, tool, action, body: event.end(['registry']) };
}

/** Formats a server whose launch differs from the trusted one. */
export function serverChangedEvent(record: ServerChangedRecord): AuditEvent {
  const event = new EventText('mcp_server_changed');
  const server = putServer(event, record);
  const action = putChange(event, record);
  return { type: event.type, time: record.time, session: record.session, server, action, body: event.end(['registry']) };
}

function putDefinition(event: EventText, record: SeenRecord | ChangedRecord): { server: string; tool: string | undefined } {
  const server = putServer(event, record);
  event.put('kind', record.kind);
  const field = NAME_FIELDS[record.kind];
  const name = field === undefined ? undefined : event.putRedacted(field, record.name);
  return { server, tool: record.kind === 'tool' ? name : undefined };
}

function putServer(event: EventText, record: SeenRecord | ChangedRecord | ServerChangedRecord): string {
  event.putTime(record.time);
  event.put('session_id', record.session);
  const server = event.putRedacted('server_id', record.server);
  event.put('server_type', record.serverType);
  return server ?? '';
}

/** @returns the action in the words of the event format, where a denial is `block` */
function putChange(event: EventText, record: ChangedRecord | ServerChangedRecord): AuditEvent['action'] {
  event.put('previous_hash', record.previous);
  event.put('new_hash', record.next);
  event.putList('changes', record.changes, ({ field, previous, next }: FieldChange) => ({ field, previous, new: next }));
  const action = record.action === 'deny' ? 'block' : record.action;
  event.put('action', action);
  return action;
}

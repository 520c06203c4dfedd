import type { Detection } from '../core/detect/types.ts';
import { redactJson } from '../core/dlp/redact-json.ts';
import type { DefinitionKind } from '../core/registry/definition.ts';
import type { DetectionRecord, FlowRecord } from '../gate/ports/records.ts';
import type { AuditEvent } from '../gate/ports/ports.ts';
import { EventText } from './event-text.ts';
import type { PastCall } from '../core/finding.ts';
import { FLOW_TYPE } from './event-types.ts';

/** The field that holds the name of a definition, by kind. */
export const NAME_FIELDS: Readonly<Record<DefinitionKind, string | undefined>> = {
  tool: 'tool_name',
  resource: 'resource_uri',
  resource_template: 'resource_uri',
  prompt: 'prompt_name',
  instructions: undefined,
};

/** Formats a finding of detection: in a definition, in another text of a server, or in a call's arguments. */
export function detectionEvent(record: DetectionRecord): AuditEvent {
  const { time, session, subject, detection } = record;
  const event = new EventText('mcp_detection');
  const action = record.action === 'deny' ? 'block' : record.action;
  event.putTime(time);
  event.put('session_id', session);
  const server = event.putRedacted('server_id', record.server);
  event.put('kind', subject?.kind);
  const field = subject === undefined ? undefined : NAME_FIELDS[subject.kind];
  const name = field === undefined ? undefined : event.putRedacted(field, subject?.name);
  event.put('tool_hash', record.fingerprint);
  event.put('origin', record.origin);
  event.putRedacted('method', record.method);
  event.put('call_id', record.call);
  event.put('action', action);
  event.put('severity', detection.severity);
  event.putCut('detection', redactJson(toFields(detection)));
  event.put('suppressed', record.suppressed);
  return {
    type: event.type,
    time,
    session,
    server: server ?? '',
    tool: subject?.kind === 'tool' ? name : undefined,
    action,
    severity: detection.severity,
    body: event.end(['detection']),
  };
}

/** Adds what was found in a new or changed definition; nothing if it was not checked. */
export function putDetections(event: EventText, detections: readonly Detection[] | undefined): void {
  if (detections !== undefined) event.putCut('detections', redactJson(detections.map(toFields)));
}

/** Translates to the words of the event format, in which a rule is a pattern and a family a category. */
function toFields({ rule, family, severity, description, matches, field }: Detection) {
  return {
    pattern: rule,
    category: family,
    severity,
    description,
    matches: matches.map(({ text, position, context, decoded }) => ({
      text,
      position,
      context,
      ...(decoded === undefined ? {} : { decoded }),
    })),
    field,
  };
}

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
  event.putList('related_calls', finding.related, toRelated);
  if (finding.evidence !== undefined) {
    event.put('evidence', finding.evidence.description);
    event.put('evidence_encoding', finding.evidence.encoding);
    event.put('evidence_source', finding.evidence.source);
    event.putRedacted('evidence_place', finding.evidence.place);
    event.put('evidence_signs', finding.evidence.signs?.join(' '));
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

function toRelated(call: PastCall): Record<string, string | undefined> {
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

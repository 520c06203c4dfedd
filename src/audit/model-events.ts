import type { AuditEvent } from '../gate/ports/ports.ts';
import type {
  BodyRecord,
  DeniedResultRecord,
  ModelRequestsRecord,
  OfferedDiffersRecord,
  SecretsRecord,
  UnknownTokensRecord,
} from '../gate/ports/records.ts';
import type { DeniedCallMadeRecord } from '../gate/ports/seen-call-port.ts';
import { EventText } from './event-text.ts';
import { BODY_TYPES, DENIED_RESULT_TYPE, MODEL_REQUESTS_TYPE, SECRETS_TYPE, UNKNOWN_TOKENS_TYPE } from './event-types.ts';

/** Formats the body of a request to an LLM provider, or of its answer. It belongs to no server. */
export function bodyEvent({ time, session, kind, provider, dialect, request, json, cuts }: BodyRecord): AuditEvent {
  const event = new EventText(BODY_TYPES[kind]);
  event.putTime(time);
  event.put('session_id', session);
  event.put('provider', provider);
  event.put('dialect', dialect);
  event.put('request_id', request);
  event.putCut('body', { json, cuts });
  return { type: event.type, time, session, server: '', isBody: true, body: event.end([]) };
}

/** Formats the counts of requests to a model. It belongs to no server. */
export function modelRequestsEvent({ time, session, counts }: ModelRequestsRecord): AuditEvent {
  const event = new EventText(MODEL_REQUESTS_TYPE);
  event.putTime(time);
  event.put('session_id', session);
  event.put('requests_checked', counts.checked);
  event.put('requests_refused', counts.refused);
  event.put('requests_unchecked', counts.unchecked);
  return { type: event.type, time, session, server: '', body: event.end(undefined) };
}

/** Formats secrets in a request to a model. They belong to no server. */
export function secretsEvent({ time, session, dialect, request, kind, count, place, mode }: SecretsRecord): AuditEvent {
  const event = new EventText(SECRETS_TYPE);
  const action = mode === 'alert' ? 'alert' : 'redact';
  event.putTime(time);
  event.put('session_id', session);
  event.put('dialect', dialect);
  event.put('request_id', request);
  event.put('secret_kind', kind);
  event.put('count', count);
  event.putRedacted('place', place);
  event.put('dlp_mode', mode);
  event.put('action', action);
  event.put('severity', 'high');
  const body = event.end(['dlp']);
  return { type: event.type, time, session, server: '', action, severity: 'high', body };
}

/** Formats tokens in a model's answer that stand for no known secret. */
export function unknownTokensEvent({ time, session, dialect, request, count, problem }: UnknownTokensRecord): AuditEvent {
  const event = new EventText(UNKNOWN_TOKENS_TYPE);
  event.putTime(time);
  event.put('session_id', session);
  event.put('dialect', dialect);
  event.put('request_id', request);
  event.put('count', count);
  event.put('problem', problem);
  event.put('action', 'alert');
  event.put('severity', 'low');
  const body = event.end(['dlp']);
  return { type: event.type, time, session, server: '', action: 'alert', severity: 'low', body };
}

/** Formats a call that is made although it was denied in a model's answer: the agent has it from elsewhere, or something was bypassed. */
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
  event.put('reason', 'the agent makes a call that was denied in the answer of the model');
  event.put('call_id', record.record);
  event.put('denied_call_id', record.denied);
  event.putRedacted('tool_call_id', record.toolUseId);
  return { type: event.type, time, session, server: server ?? '', tool, action, severity: 'high', body: event.end(undefined) };
}

/** Formats the result that a client sent for a call that was denied when a model made it. */
export function deniedResultEvent(record: DeniedResultRecord): AuditEvent {
  const { intercepted, time, session } = record;
  const event = new EventText(DENIED_RESULT_TYPE);
  event.putTime(time);
  event.put('session_id', session);
  const server = event.putRedacted('server_id', record.server);
  const tool = event.putRedacted('tool_name', record.tool);
  event.put('dialect', intercepted.dialect);
  event.putRedacted('request_id', record.request);
  // The request whose answer contained the call.
  event.putRedacted('denied_request_id', intercepted.request);
  event.putRedacted('tool_call_id', intercepted.id);
  event.putRedacted('model_tool_name', intercepted.name);
  event.put('action', 'alert');
  event.put('severity', 'critical');
  event.put('reason', 'the client sent a result for a denied call');
  const body = event.end([]);
  return { type: event.type, time, session, server: server ?? '', tool, action: 'alert', severity: 'critical', body };
}

/** Formats a tool that a model is offered with another definition than its server listed. */
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

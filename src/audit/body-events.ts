import type { BodyRecord, ModelRequestsRecord } from '../gate/body-record.ts';
import type { AuditEvent } from '../gate/ports.ts';
import { EventText } from './event-text.ts';
import { BODY_TYPES, MODEL_REQUESTS_TYPE } from './event-types.ts';

/** The event that keeps what was asked of an LLM provider, or what it has answered. It is of no server. */
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

/** The event that tells how many requests came to a model. It is of no server. */
export function modelRequestsEvent({ time, session, counts }: ModelRequestsRecord): AuditEvent {
  const event = new EventText(MODEL_REQUESTS_TYPE);
  event.putTime(time);
  event.put('session_id', session);
  event.put('requests_looked', counts.looked);
  event.put('requests_refused', counts.refused);
  event.put('requests_unlooked', counts.unlooked);
  return { type: event.type, time, session, server: '', body: event.end(undefined) };
}

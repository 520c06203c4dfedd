import { parseBody } from '../../audit/event-columns.ts';
import type { StoredEvent } from '../../store/reading/read.ts';
import { type Fields, textOf } from '../log/event-fields.ts';
import { isoTime } from '../terminal/layout.ts';

/** An event with what can be read of its body. */
export interface ReportEvent extends Omit<StoredEvent, 'body'> {
  /** Empty where the body was erased, or is not readable. */
  readonly fields: Fields;
  readonly state: 'read' | 'erased' | 'unreadable';
  /** ISO 8601; empty where the time is none. */
  readonly timestamp: string;
}

export function toReportEvent({ body, ...columns }: StoredEvent): ReportEvent {
  const fields = body === null ? undefined : parseBody(body);
  const state = body === null ? 'erased' : fields === undefined ? 'unreadable' : 'read';
  return { ...columns, fields: fields ?? {}, state, timestamp: isoTime(columns.time) ?? '' };
}

/** A call was not allowed by the policy, and went on since that was only observed. */
export function isOnlyObserved(action: string | null, fields: Fields): boolean {
  if (action !== 'allow' || textOf(fields, 'mode') !== 'observe') return false;
  const decision = textOf(fields, 'decision');
  return decision === 'deny' || (decision === 'prompt' && textOf(fields, 'approval') !== 'granted');
}

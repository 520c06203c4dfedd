import { parseBody } from '../../audit/event-columns.ts';
import type { StoredEvent } from '../../store/read.ts';
import type { Fields } from '../log/event-fields.ts';

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
  return { ...columns, fields: fields ?? {}, state, timestamp: formatIso(columns.time) };
}

/** A time in milliseconds since the epoch as ISO 8601; empty where that is no time. */
export function formatIso(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

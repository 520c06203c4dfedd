import { formatSseEvent } from '../sse/event.ts';
import type { SseEvent } from '../sse/splitter.ts';
import { isObject, type JsonObject } from './json-object.ts';
import { findKeyProblem } from './json-text.ts';

/** One parsed event of a stream with a single reading. */
export interface Frame {
  /** The payload's type, which becomes the event's name. */
  readonly type: string;
  readonly payload: JsonObject;
  /** The payload as JSON text on one line. */
  readonly data: string;
  readonly id: string | undefined;
  readonly retry: string | undefined;
  /** True if all readers read the original bytes alike. */
  readonly isPlain: boolean;
}

/** Matches names of events that all readers read alike. */
const EVENT_NAME = /^[\w.-]{1,64}$/;

/**
 * Parses the payload of an event with data, in the APIs whose payloads name their type.
 *
 * @param data the event's
 * @param hasVariant tells whether the payload has a key that some readers take for another
 * @returns a description of the fault if it has no single reading
 */
export function readTypedFrame(event: SseEvent, data: Buffer, hasVariant: (payload: JsonObject) => boolean): Frame | string {
  const source = data.toString('utf8', event.dataStart, event.dataEnd);
  let payload: unknown;
  try {
    payload = JSON.parse(source);
  } catch {
    // Some clients end the turn, some skip the event, some repair it.
    return 'an event whose data is not JSON';
  }
  if (!isObject(payload)) return 'an event whose data is no object';
  // An error without a type is recognised by the event's name.
  const type = payload['type'] ?? (event.event === 'error' ? 'error' : undefined);
  if (typeof type !== 'string' || !EVENT_NAME.test(type)) return 'an event without a type';
  if (hasVariant(payload)) return 'an event with a key that some readers take for another';
  const problem = findKeyProblem(source);
  if (problem === 'too_deep') return 'an event that is nested too deeply';
  const isOneReading = problem === undefined && !source.includes('\ufffd');
  return {
    type,
    payload,
    // A line feed in valid JSON is white space.
    data: problem === undefined ? source.replaceAll(/[\r\n]/g, ' ') : JSON.stringify(payload),
    id: event.id,
    retry: event.retry,
    isPlain: isOneReading && event.isPlain && event.event === type,
  };
}

/** Formats the frame in canonical form. @param data another payload */
export function formatFrame(frame: Frame, data: string = frame.data): string {
  return formatSseEvent({ event: frame.type, id: frame.id, retry: frame.retry, data });
}

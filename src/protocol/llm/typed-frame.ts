import { escapeDoubtful, formatSseEvent } from '../sse/event.ts';
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
 * @param long for an event that can only be written anew: its memory is given back before its payload is parsed. Returns a shorter JSON text
 * of it that stands for it, if there is one
 * @returns a description of the fault if it has no single reading
 */
export function readTypedFrame(
  event: SseEvent,
  data: Buffer,
  hasVariant: (payload: JsonObject) => boolean,
  long?: (data: Buffer, start: number, end: number) => string | undefined,
): Frame | string {
  const { dataStart: start, dataEnd: end } = event;
  const source = long?.(data, start, end) ?? data.toString('utf8', start, end);
  if (long !== undefined) event.drop?.();
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
    isPlain: long === undefined && isOneReading && event.isPlain && event.event === type,
  };
}

/** Formats the frame in canonical form. @param data another payload */
export function formatFrame(frame: Frame, data: string = frame.data): string {
  return formatSseEvent({ event: frame.type, id: frame.id, retry: frame.retry, data });
}

/** Characters of a part of a long frame. */
const PART = 32 * 1024;

/** Formats a frame as `formatFrame` does, in parts. @param data JSON text on one line, in pieces that end between two characters */
export function formatLongFrame(frame: Frame, data: Iterable<string>): Iterable<string> {
  return partsOf(formatFrame(frame, '').replace(/\n\n$/, ' '), data);
}

/** The parsed frame is not kept while its parts are written. */
function* partsOf(head: string, data: Iterable<string>): Iterable<string> {
  yield head;
  for (const piece of data) {
    for (let from = 0; from < piece.length;) {
      // Both halves of a surrogate pair are in one part.
      const isPair = (piece.codePointAt(from + PART - 1) ?? 0) > 0xffff;
      const to = from + PART + (isPair ? 1 : 0);
      yield escapeDoubtful(piece.slice(from, to));
      from = to;
    }
  }
  yield '\n\n';
}

import { formatSseEvent } from '../../sse/format.ts';
import type { SseEvent } from '../../sse/splitter.ts';
import { hasVariantKey, isObject, type JsonObject, knownKeys } from '../json-object.ts';
import { findKeyProblem } from '../json-text.ts';

/** Keys of a call, of a result, and of what else a block and a delta are read for. */
export const BLOCK_KEYS = knownKeys([
  'type',
  'id',
  'name',
  'input',
  'toolset_name',
  'server_name',
  'tool_use_id',
  'partial_json',
  'text',
  'content',
  'stop_reason',
]);

/** One event of a stream whose payload has been read, and has one reading only. */
export interface Frame {
  /** The payload's type, which is the event's name from here on. */
  readonly type: string;
  readonly payload: JsonObject;
  /** The payload as JSON text of one line. */
  readonly data: string;
  readonly id: string | undefined;
  readonly retry: string | undefined;
  /** The bytes that it came in say this and nothing else to every reader. */
  readonly isPlain: boolean;
}

/** Keys that decide what a payload means. */
const PAYLOAD_KEYS = knownKeys(['type', 'index', 'message', 'content_block', 'delta', 'error', 'usage']);

/** A name of an event that can stand on its line and is read alike by all. */
const EVENT_NAME = /^[\w.-]{1,64}$/;

/**
 * Reads the payload of an event that has data.
 *
 * @param data the event's
 * @returns what is wrong, where there is no one way to read it
 */
export function readFrame(event: SseEvent, data: Buffer): Frame | string {
  const source = data.toString('utf8', event.dataStart, event.dataEnd);
  let payload: unknown;
  try {
    payload = JSON.parse(source);
  } catch {
    // Some clients end the turn, some skip it, some repair it.
    return 'an event whose data is not JSON';
  }
  if (!isObject(payload)) return 'an event whose data is no object';
  // A failure that is told without a type is told by the event's name.
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

/** The frame in canonical form. @param data what its payload is to say instead */
export function formatFrame(frame: Frame, data: string = frame.data): string {
  return formatSseEvent({ event: frame.type, id: frame.id, retry: frame.retry, data });
}

function hasVariant(payload: JsonObject): boolean {
  if (hasVariantKey(payload, PAYLOAD_KEYS)) return true;
  return ['content_block', 'delta', 'message'].some((name) => {
    const inner = payload[name];
    return isObject(inner) && hasVariantKey(inner, BLOCK_KEYS);
  });
}

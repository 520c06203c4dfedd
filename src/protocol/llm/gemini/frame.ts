import { formatSseEvent } from '../../sse/event.ts';
import type { SseEvent } from '../../sse/splitter.ts';
import type { Framing } from '../dialect.ts';
import { type Answer, readAnswer } from './answer.ts';

/** One parsed event of a stream with a single reading. */
export interface Frame {
  readonly answer: Answer;
  /** The payload as JSON text. */
  readonly data: string;
  /** The whole event as it came; undefined if readers may differ on it. */
  readonly source: string | undefined;
  /** The characters that it counts for while held. */
  readonly size: number;
}

/** Characters that an event counts for besides its text. */
const FRAME_SIZE = 256;

/** Most calls in one event; nobody makes more. */
const MOST_CALLS = 1024;

/**
 * Parses an event with data.
 *
 * @returns a description of the fault if it has no single reading
 */
export function readFrame(event: SseEvent, data: Buffer, framing: Framing): Frame | string {
  const text = data.toString('utf8', event.dataStart, event.dataEnd);
  const answer = readAnswer(text);
  if (typeof answer === 'string') return `an event that cannot be followed: ${answer}`;
  if (answer.parts.length > MOST_CALLS) return 'more calls than anybody makes';
  const isPlain = isBareEvent(event, framing) && event.isPlain && !text.includes('\ufffd');
  return {
    answer,
    // A line feed in valid JSON is white space.
    data: framing === 'sse' ? text.replaceAll(/[\r\n]/g, ' ') : text,
    source: isPlain ? event.bytes.toString('utf8', event.start, event.end) : undefined,
    size: text.length + FRAME_SIZE,
  };
}

/** Tells whether an event is data alone, with any characters. A name, an id or a comment before the data hides it from some clients. */
export function isBareEvent({ isFramePlain, event, id, retry, bytes, start }: SseEvent, framing: Framing): boolean {
  return (
    framing === 'json_array' ||
    (isFramePlain && event === undefined && id === undefined && retry === undefined && bytes[start] === 0x64)
  );
}

/** Formats an event of our own, or a rewritten one. @param isFirst true for the first element of an array */
export function formatFrame(
  data: string,
  { framing, isFirst }: { readonly framing: Framing; readonly isFirst: boolean },
): string {
  if (framing === 'sse') return formatSseEvent({ data });
  return isFirst ? data : `,\r\n${data}`;
}

/** Formats an error as Google's SDKs read it. @param kind whose fault it is: the client's, or ours and upstream's */
export function errorPayload(message: string, kind: 'request' | 'server'): string {
  const [code, status] = kind === 'request' ? [400, 'INVALID_ARGUMENT'] : [500, 'INTERNAL'];
  return JSON.stringify({ error: { code, message, status } });
}
